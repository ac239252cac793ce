import type { ConnectionKind } from '#shared/models/connections/provider-form.ts'
import { type Counted, ModelError } from '../port.ts'
import { providerOf } from '../provider/providers.ts'
import { askForJson, noAnswer } from '../wire/ask-json.ts'
import { atItsBase } from '../wire/at-its-base.ts'
import type { Endpoint } from '../wire/dialect.ts'
import { sentenceFor } from '../wire/failures.ts'
import { openGate, passGate } from '../wire/gate.ts'

/** Callers give up long before this timeout. */
const bounds = { patienceMs: 60_000, answerMax: 4 * 1024 * 1024 }

/**
 * Returns how well each text answers the question, from 0 to 1, in order. Calls `told` with the usage.
 * @throws ModelError; the reason of `signal` once it is aborted
 */
export async function rerank(
  connection: Endpoint & { kind: ConnectionKind },
  model: string,
  question: string,
  texts: string[],
  signal: AbortSignal,
  told?: (used: Counted) => void,
  gate = openGate(connection),
): Promise<number[]> {
  const { rerank: wireAt, address } = providerOf(connection.kind)
  const wire = wireAt?.(connection.base_url)
  if (!wire) throw new ModelError('not_available', sentenceFor('not_available', 'it offers no reranking'))
  if (texts.length === 0) return []
  const answer = await passGate(gate, signal, (through) =>
    atItsBase(address.version, through, (endpoint) =>
      askForJson(wire.request(model, question, texts, endpoint), bounds, signal),
    ),
  )
  // An invalid answer is charged too.
  told?.(wire.used(answer))
  return asShares(inOrder(wire.read(answer), texts.length))
}

/** Returns one score per text. @throws ModelError when a score is missing, duplicate, not a number, or for no text */
function inOrder(scores: { index: unknown; score: unknown }[], count: number): number[] {
  const found = new Map<unknown, number>()
  for (const { index, score } of scores) {
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= count)
      throw noAnswer('a score is of no text that was sent')
    if (typeof score !== 'number' || !Number.isFinite(score)) throw noAnswer('a score is not a number')
    if (found.has(index)) throw noAnswer('a text has two scores')
    found.set(index, score)
  }
  if (found.size !== count) throw noAnswer(`${found.size} scores for ${count} texts`)
  return Array.from({ length: count }, (_, index) => found.get(index) ?? 0)
}

/** Some servers return the raw scores of their model instead of shares. */
function asShares(scores: number[]): number[] {
  const areShares = scores.every((score) => score >= 0 && score <= 1)
  return areShares ? scores : scores.map((score) => 1 / (1 + Math.exp(-score)))
}
