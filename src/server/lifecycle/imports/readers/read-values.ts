import { createHash } from 'node:crypto'

type Fields = Record<string, unknown>

/** Returns an object of foreign data; null for anything else. */
export function asObject(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the objects of a list. */
export function asObjects(value: unknown): Fields[] {
  return asList(value)
    .map(asObject)
    .filter((one) => one !== null)
}

/** Returns a text; empty for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a text that has characters, otherwise null. */
export function asName(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

const MAX_COUNT = 2_000_000_000

/** Returns a whole number from 0; null for anything else. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
    ? value
    : null
}

const [FIRST_MS, LAST_MS] = [Date.UTC(1990, 0), Date.UTC(2100, 0)]

/** Returns a time given in seconds, in milliseconds or as ISO text; null for anything else. */
export function asTime(value: unknown): Date | null {
  const ms = typeof value === 'number' ? (value < 1e11 ? value * 1_000 : value) : Date.parse(asText(value))
  return ms > FIRST_MS && ms < LAST_MS ? new Date(ms) : null
}

const MAX_ID = 200

/** The database stores no null characters and no halves of letters. */
const isPlain = (id: string) => id.isWellFormed() && !id.includes('\0')

/** Returns an id of another product, hashed if it is long or cannot be stored; null when there is none. */
export function asId(value: unknown): string | null {
  const id = typeof value === 'number' ? String(value) : asName(value)
  if (id === null || (id.length <= MAX_ID && isPlain(id))) return id
  return `sha256-${createHash('sha256').update(id).digest('hex')}`
}

/** Returns a web page with an address that can be cited; null for anything else. */
export function asPage(page: Fields): { title: string; url: string } | null {
  const url = asText(page.url)
  return /^https?:\/\/[^"<>\s]{1,2000}$/.test(url) ? { url, title: asName(page.title) ?? url } : null
}
