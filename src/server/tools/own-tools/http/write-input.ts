import { AppError } from '#shared/platform/errors.ts'
import type { HttpInput } from '#shared/tools/own-tools/http-call.ts'
import { isRecord } from '../schemas.ts'
import { keyOf } from './check-call.ts'

/** Returns a value as text; values other than text become JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Serializes a value for the path: lists with commas, an object as `a,1,b,2`, or `a=1,b=2` if exploded (OpenAPI, style
 * `simple`).
 * @throws AppError `invalid` for a value that would change the path
 */
export function writePathInput(input: HttpInput, value: unknown): string {
  const text = writeSimple(input, value, encodeURIComponent)
  // Servers and URL parsers interpret these as the current or parent folder, in any encoding.
  if (text === '' || /^(\.|%2e){1,2}$/i.test(text))
    throw new AppError('invalid', `${input.name} cannot be “${textOf(value)}” in an address.`)
  return text
}

export function writeSimple(
  { style, explode }: HttpInput,
  value: unknown,
  encode: (text: string) => string = (text) => text,
): string {
  if (style === 'json') return encode(textOf(value))
  if (Array.isArray(value)) return value.map((one) => encode(textOf(one))).join(',')
  if (!isRecord(value)) return encode(textOf(value))
  const sign = explode ? '=' : ','
  return Object.entries(value)
    .map(([name, one]) => `${encode(name)}${sign}${encode(textOf(one))}`)
    .join(',')
}

const between = { spaceDelimited: ' ', pipeDelimited: '|' } as const

/** Serializes a value as pairs of a query, a form or cookies. */
export function writePairs(input: HttpInput, value: unknown): [string, string][] {
  const name = keyOf(input)
  const { style = 'form', explode = true } = input
  if (style === 'json' || typeof value !== 'object' || value === null) return [[name, textOf(value)]]
  if (Array.isArray(value)) {
    if (explode && style === 'form') return value.map((one) => [name, textOf(one)])
    const sign = style === 'spaceDelimited' || style === 'pipeDelimited' ? between[style] : ','
    return [[name, value.map(textOf).join(sign)]]
  }
  const entries = Object.entries(value)
  if (style === 'deepObject') return entries.map(([key, one]) => [`${name}[${key}]`, textOf(one)])
  if (explode) return entries.map(([key, one]) => [key, textOf(one)])
  return [[name, entries.flatMap(([key, one]) => [key, textOf(one)]).join(',')]]
}
