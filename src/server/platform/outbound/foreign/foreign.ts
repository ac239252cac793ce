import { Buffer } from 'node:buffer'
import { AppError } from '#shared/platform/errors.ts'
import { codeUrl } from '../../process/checkout.ts'
import { createJsonScanner, type JsonBounds, ORDINARY } from './json-scanner.ts'
import { createThread } from './thread.ts'

/** Minimum size of a text that is parsed in a separate thread. */
export const LARGE_BYTES = 256 * 1024

type ToRead = { bytes: Uint8Array; bounds: JsonBounds; packsNumbers: boolean }

const thread = createThread<ToRead, unknown>(codeUrl('src/server/platform/outbound/foreign/json-thread.ts'))

/** The vectors of one request may take 64 MB as JSON. */
const numbers = createThread<ToRead, unknown>(
  codeUrl('src/server/platform/outbound/foreign/json-thread.ts'),
  {
    megabytes: 512,
  },
)

/**
 * Parses untrusted JSON after checking its limits. Use it for texts of limited size, and `readJson` for larger ones.
 * @throws AppError `too_large` beyond the limits, SyntaxError for invalid JSON
 */
export function parseJson(text: string | Uint8Array, bounds: JsonBounds = ORDINARY): unknown {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  createJsonScanner(bounds).scan(bytes)
  const written = typeof text === 'string' ? text : new TextDecoder().decode(text)
  return JSON.parse(written)
}

/** Parses like `parseJson`, but returns undefined for invalid JSON or beyond the limits. */
export function tryJson(text: string | Uint8Array, bounds: JsonBounds = ORDINARY): unknown {
  try {
    return parseJson(text, bounds)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AppError) return undefined
    throw error
  }
}

/**
 * Parses untrusted JSON of any size. A large text is checked and parsed in a thread, so that it does not block the event loop.
 * @throws AppError `too_large` beyond the limits or the time limit; SyntaxError for invalid JSON
 */
export async function readJson(bytes: Uint8Array, bounds: JsonBounds = ORDINARY): Promise<unknown> {
  if (bytes.length <= LARGE_BYTES) return parseJson(bytes, bounds)
  // A checked text crosses threads in one copy; a complex value would have to be serialized and rebuilt.
  return JSON.parse(String(await thread.run({ bytes, bounds, packsNumbers: false })))
}

/**
 * Parses JSON like `readJson`. In a large text, each list of only numbers becomes a `Float64Array`.
 * @throws as `readJson`
 */
export async function readNumbers(bytes: Uint8Array, bounds: JsonBounds): Promise<unknown> {
  if (bytes.length <= LARGE_BYTES) return parseJson(bytes, bounds)
  return numbers.run({ bytes, bounds, packsNumbers: true })
}
