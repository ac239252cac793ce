import type { ConnectionKind } from '#shared/connections/connections.ts'
import { ModelError } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'
import { failureOf, sentenceFor, unreachable } from '../wire/failures.ts'
import { postAndRead } from '../wire/post.ts'
import { embeddingWire } from './wires.ts'

/** How long one request may take, in milliseconds: a local model may have to be loaded first. */
const PATIENCE_MS = 120_000
/** What the vectors of one request may take as JSON: 256 of 4,096 numbers have 24 MB. */
const ANSWER_MAX = 64 * 1024 * 1024

/**
 * One vector for every text, all of one length, in the order of the texts. Asks in as many requests as the provider needs.
 * @throws ModelError; the reason of `signal` once it is aborted
 */
export async function embed(
  connection: Endpoint & { kind: ConnectionKind },
  model: string,
  texts: string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const wire = embeddingWire(connection.kind, connection, model)
  if (!wire) throw new ModelError('not_available', sentenceFor('not_available', 'it embeds nothing'))
  const vectors: number[][] = []
  for (let from = 0; from < texts.length; from += wire.textsMax) {
    const some = texts.slice(from, from + wire.textsMax)
    const read = wire.read(await post(wire.request(model, some, connection), signal))
    if (read.length !== some.length) throw noAnswer(`${read.length} vectors for ${some.length} texts`)
    vectors.push(...read.map(asVector))
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length))
    throw noAnswer('its vectors differ in length')
  return vectors
}

async function post(request: WireRequest, signal: AbortSignal): Promise<Record<string, unknown>> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  const chunks: Uint8Array[] = []
  let size = 0
  const read = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > ANSWER_MAX) throw noAnswer('its vectors are too long')
    chunks.push(bytes)
  }
  const refusal = await postAndRead({
    ...request,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
    signal: AbortSignal.any([signal, late]),
    accept: () => ({ read, end: () => {} }),
  }).catch((error) => {
    signal.throwIfAborted()
    if (error instanceof ModelError) throw error
    throw late.aborted ? new ModelError('timeout', sentenceFor('timeout')) : unreachable(error)
  })
  if (refusal) throw failureOf(refusal.status, refusal.text, refusal.headers)
  return parseObject(Buffer.concat(chunks).toString('utf8'))
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    throw noAnswer('it is no JSON')
  }
  throw noAnswer('it is no object')
}

function asVector(value: unknown): number[] {
  if (Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)) return value
  throw noAnswer('a vector is missing')
}

const noAnswer = (why: string) => new ModelError('invalid_answer', sentenceFor('invalid_answer', why))
