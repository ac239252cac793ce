import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeJson } from './encode-json.ts'

it('encodes any request like JSON.stringify', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.array(fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), value), async (body) => {
      expect(Buffer.concat(await encodeJson(body)).toString()).toBe(JSON.stringify(body))
    }),
  )
})

it('encodes a long list in several short turns of the event loop', async () => {
  const messages = Array.from({ length: 20 }, (_, n) => ({
    role: 'user',
    content: `${n} 😀"`.repeat(70_000),
  }))
  let turns = 0
  const count = () => {
    turns += 1
    counted = setImmediate(count)
  }
  let counted = setImmediate(count)
  const pieces = await encodeJson({ model: 'm', messages })
  clearImmediate(counted)
  expect(turns).toBeGreaterThanOrEqual(19)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000_000)
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ model: 'm', messages })
})
