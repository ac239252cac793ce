import { Buffer } from 'node:buffer'
import { AppError } from '#shared/platform/errors.ts'
import { codeUrl } from '../../process/checkout.ts'
import { createJsonScanner, type JsonBounds, ORDINARY } from './json-scanner.ts'
import { createThread } from './thread.ts'

/** A text from here on is parsed in a thread of its own. */
export const LARGE_BYTES = 256 * 1024

type ToRead = { bytes: Uint8Array; bounds: JsonBounds; packsNumbers: boolean }

const thread = createThread<ToRead, unknown>(codeUrl('src/server/platform/outbound/foreign/json-thread.ts'))

/** Vectors of one request may take 64 MB as JSON. */
const numbers = createThread<ToRead, unknown>(
  codeUrl('src/server/platform/outbound/foreign/json-thread.ts'),
  {
    megabytes: 512,
  },
)

/**
 * The value of a JSON text that a service, a program or a model wrote: counted before it is parsed. For texts that are bounded
 * already; a larger one is read by `readJson`.
 * @throws AppError `too_large` beyond the bounds, SyntaxError for what is no JSON
 */
export function parseJson(text: string | Uint8Array, bounds: JsonBounds = ORDINARY): unknown {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  createJsonScanner(bounds).scan(bytes)
  const written = typeof text === 'string' ? text : new TextDecoder().decode(text)
  return JSON.parse(written)
}

/** The same, or undefined for what is no JSON or beyond the bounds. */
export function tryJson(text: string | Uint8Array, bounds: JsonBounds = ORDINARY): unknown {
  try {
    return parseJson(text, bounds)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AppError) return undefined
    throw error
  }
}

/**
 * The same for a text of any size: a large one is counted and parsed in a thread, so that nobody waits for it.
 * @throws AppError `too_large` beyond the bounds, or when it takes too long; SyntaxError for what is no JSON
 */
export async function readJson(bytes: Uint8Array, bounds: JsonBounds = ORDINARY): Promise<unknown> {
  if (bytes.length <= LARGE_BYTES) return parseJson(bytes, bounds)
  // A checked text crosses threads in one copy; a value of many parts would be taken apart and put together here.
  return JSON.parse(String(await thread.run({ bytes, bounds, packsNumbers: false })))
}

/**
 * The same for an answer that holds many numbers: each list of numbers alone is a `Float64Array` where the text is large.
 * @throws as `readJson`
 */
export async function readNumbers(bytes: Uint8Array, bounds: JsonBounds): Promise<unknown> {
  if (bytes.length <= LARGE_BYTES) return parseJson(bytes, bounds)
  return numbers.run({ bytes, bounds, packsNumbers: true })
}
