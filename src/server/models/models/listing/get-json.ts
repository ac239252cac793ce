import { request } from 'undici'
import { readJson } from '../../../platform/outbound/foreign/foreign.ts'
import type { JsonBounds } from '../../../platform/outbound/foreign/json-scanner.ts'
import { ModelError } from '../port.ts'
import { failureOf, sentenceFor } from '../wire/failures.ts'
import { unpackWhole } from '../wire/unpack.ts'

const patienceMs = 10_000
/** A list of 5,000 models with all details has about 10 MB. */
const LIST_MAX = 16 * 1024 * 1024
const LIST: JsonBounds = { values: 100_000, depth: 50 }
const REFUSAL_MAX = 64 * 1024

/** A list that moved to another address, as behind a proxy that redirects http to https. */
export class MovedError extends ModelError {
  readonly from: URL
  readonly to: URL | null

  constructor(url: string, location: string) {
    super('wrong_address', sentenceFor('wrong_address', url))
    this.from = new URL(url)
    this.to = URL.canParse(location, url) ? new URL(location, url) : null
  }
}

/**
 * Reads a list of models: a JSON object, or an array as its `data`. @throws ModelError: `MovedError` for a redirect, `wrong_address`
 * for a web page
 */
export async function getJson(
  url: string,
  headers: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await request(url, { headers, signal: AbortSignal.timeout(patienceMs) }).catch(
    (error: unknown) => {
      const timedOut = error instanceof Error && error.name === 'TimeoutError'
      const kind = timedOut ? 'timeout' : 'unreachable'
      throw new ModelError(kind, sentenceFor(kind), { cause: error })
    },
  )
  const bytes = await unpackWhole(
    response.headers['content-encoding'],
    await readBytes(response.body),
    LIST_MAX,
  ).catch((error: unknown) => {
    throw notJson(error)
  })
  const { location } = response.headers
  if (response.statusCode < 400 && typeof location === 'string') throw new MovedError(url, location)
  if (response.statusCode >= 300)
    throw failureOf(response.statusCode, bytes.toString('utf8', 0, REFUSAL_MAX), response.headers)
  try {
    const value = await readJson(bytes, LIST)
    if (Array.isArray(value)) return { data: value }
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (isPage(bytes)) throw new ModelError('wrong_address', sentenceFor('wrong_address', url))
    throw notJson(error)
  }
}

const notJson = (cause: unknown) =>
  new ModelError('invalid_answer', sentenceFor('invalid_answer', 'the list of models is not JSON'), { cause })

/** Returns whether an answer is a web page, such as a sign-in form, instead of an API response. */
export const isPage = (bytes: Uint8Array) =>
  /^\s*<(?:!doctype|html)/i.test(Buffer.from(bytes).toString('utf8', 0, 100))

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > LIST_MAX)
      throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'the list of models is too long'))
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
