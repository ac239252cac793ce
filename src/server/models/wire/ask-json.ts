import { ModelError } from '../port.ts'
import type { WireRequest } from './dialect.ts'
import { failureOf, sentenceFor, unreachable } from './failures.ts'
import { postAndRead } from './post.ts'

type Bounds = { patienceMs: number; answerMax: number }

/** Posts a request and reads its answer, one JSON object or list, whole. @throws ModelError; the reason of `signal` once it is aborted */
export async function askForJson(
  request: WireRequest,
  { patienceMs, answerMax }: Bounds,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const late = AbortSignal.timeout(patienceMs)
  const chunks: Uint8Array[] = []
  let size = 0
  const read = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > answerMax) throw noAnswer('it is too long')
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

/** The error for an answer that is not what was asked for. */
export const noAnswer = (why: string) => new ModelError('invalid_answer', sentenceFor('invalid_answer', why))
