import { AppError } from '#shared/platform/errors.ts'
import type { HttpCall, HttpMethod } from '#shared/tools/own-tools/http-call.ts'
import { assertAtOrigin } from './check-address.ts'
import { isHeaderValue, keyOf } from './check-call.ts'
import { type GivenInput, writeBody } from './write-body.ts'
import { writePairs, writePathInput, writeSimple } from './write-input.ts'

/** A request ready to be sent. */
export type WrittenRequest = {
  method: HttpMethod
  url: string
  headers: Record<string, string>
  body: string | null
}

/** Builds the request of a call with these inputs, without authentication. @throws AppError `invalid` */
export function writeRequest(call: HttpCall, values: Record<string, unknown>): WrittenRequest {
  const given = call.inputs.flatMap((input): GivenInput[] => {
    const value = values[input.name]
    // Omitted inputs are not sent; empty values are.
    return value === undefined || (value === null && input.place !== 'body') ? [] : [{ input, value }]
  })
  const at = (place: GivenInput['input']['place']) => given.filter(({ input }) => input.place === place)
  const url = new URL(fillPath(call.address, at('path')))
  assertAtOrigin(call, url)
  for (const { input, value } of at('query'))
    for (const [name, text] of writePairs(input, value)) url.searchParams.append(name, text)
  const cookies = at('cookie').flatMap(({ input, value }) => writePairs(input, value))
  const body = writeBody(call, at('body'))
  const headers: Record<string, string> = {
    accept: 'application/json, text/*;q=0.8, */*;q=0.5',
    ...lowerNames(call.headers),
    ...Object.fromEntries(
      at('header').map(({ input, value }) => [keyOf(input).toLowerCase(), writeHeader(input, value)]),
    ),
    ...(cookies.length > 0 && { cookie: writeCookies(cookies) }),
    ...(body && { 'content-type': body.type }),
  }
  return { method: call.method, url: url.href, headers, body: body?.text ?? null }
}

function fillPath(address: string, given: readonly GivenInput[]): string {
  const values = new Map(given.map(({ input, value }) => [keyOf(input), writePathInput(input, value)]))
  return address.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new AppError('invalid', `${name} is required.`)
    return value
  })
}

function writeHeader(input: GivenInput['input'], value: unknown): string {
  const text = writeSimple(input, value)
  if (isHeaderValue(text)) return text
  throw new AppError('invalid', `${input.name} has a character that is not allowed in headers.`)
}

export function writeCookies(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

const lowerNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
