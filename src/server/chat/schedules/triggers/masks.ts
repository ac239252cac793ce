import type { IncomingHttpHeaders } from 'node:http'
import { cleanCharacters } from '../../../platform/db/db.ts'

/** Shown instead of a secret. */
export const MASK = '••••••'
const MAX_HEADERS = 50
const MAX_HEADER_CHARACTERS = 500
/** Names whose values are secrets. */
const SECRET_NAME =
  /auth|cookie|passw|passphrase|secret|signature|token|credential|session|jwt|(api|access|private)[-_ ]?key/i

/** Returns the headers of a call as they are stored: secrets are masked, and long values are cut. */
export function maskHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value = '']) => {
        const text = cleanCharacters(String(value)).slice(0, MAX_HEADER_CHARACTERS)
        return [name.slice(0, MAX_HEADER_CHARACTERS), SECRET_NAME.test(name) ? MASK : text]
      }),
  )
}

/** Returns the body of a call as it is stored: values with names of secrets are masked, unless the schedule has such a field. */
export function maskBody(data: Record<string, unknown>, fields: ReadonlySet<string>): string {
  const masked = Object.entries(data).map(([name, value]) => [
    name,
    fields.has(name) ? value : maskValue(name, value),
  ])
  return cleanCharacters(JSON.stringify(Object.fromEntries(masked), null, 2))
}

function maskValue(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return MASK
  if (Array.isArray(value)) return value.map((one) => maskValue('', one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskValue(key, one)]))
}
