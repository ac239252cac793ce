import { serveThread } from '../../outbound/foreign/serve-thread.ts'
import { assertFewValues } from '../body-bounds.ts'

export type LargeBody = { bytes: Uint8Array; maxValues: number | undefined }

/** Returns the value of a JSON body, undefined for an empty one. */
serveThread(({ bytes, maxValues }: LargeBody) => {
  assertFewValues(bytes, maxValues)
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return undefined
  const value: unknown = JSON.parse(text)
  assertNoPrototype(value)
  return value
})

/** Refuses names that change the prototype of objects a body is copied into, as Fastify's parser does. @throws SyntaxError */
function assertNoPrototype(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw new SyntaxError('The body names a prototype.')
  for (const [name, one] of Object.entries(value)) {
    if (name === 'constructor' && typeof one === 'object' && one !== null && Object.hasOwn(one, 'prototype'))
      throw new SyntaxError('The body names a prototype.')
    assertNoPrototype(one)
  }
}
