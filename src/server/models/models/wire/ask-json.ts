import { AppError } from '#shared/platform/errors.ts'
import { readJson, readNumbers } from '../../../platform/outbound/foreign/foreign.ts'
import type { JsonBounds } from '../../../platform/outbound/foreign/json-scanner.ts'
import { ModelError } from '../port.ts'
import type { WireRequest } from './dialect.ts'
import { failureOf, sentenceFor, unreachable } from './failures.ts'
import { postAndRead } from './post.ts'

type Bounds = {
  patienceMs: number
  answerMax: number
  /** True for vectors, which contain more numbers than other answers. */
  isVectors?: boolean
}

/** Posts a request and reads its whole answer, one JSON object or list. @throws ModelError; the reason of `signal` once it is aborted */
export async function askForJson(
  request: WireRequest,
  { patienceMs, answerMax, isVectors = false }: Bounds,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const late = AbortSignal.timeout(patienceMs)
  const chunks: Uint8Array[] = []
  let size = 0
  const read = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > answerMax) throw noAnswer('it is too long')
    chunks.push(bytes)
    return false
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
  return readObject(Buffer.concat(chunks), isVectors)
}

/** 256 vectors of 4,096 numbers, with their wrapping. */
const VECTORS: JsonBounds = { values: 1_100_000, depth: 20 }

async function readObject(bytes: Uint8Array, isVectors: boolean): Promise<Record<string, unknown>> {
  try {
    const value = isVectors ? await readNumbers(bytes, VECTORS) : await readJson(bytes)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch (error) {
    throw noAnswer(error instanceof AppError ? 'it is too long' : 'it is not JSON')
  }
  throw noAnswer('it is not an object')
}

/** Returns the error for an invalid answer. */
export const noAnswer = (why: string) => new ModelError('invalid_answer', sentenceFor('invalid_answer', why))
