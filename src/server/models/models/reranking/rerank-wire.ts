import type { Counted } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'

/** Wire format of a provider's rerankers. */
export type RerankWire = {
  request(model: string, question: string, texts: string[], endpoint: Endpoint): WireRequest
  /** Returns the scores of an answer, in any order; empty when it holds none. */
  read(answer: Record<string, unknown>): { index: unknown; score: unknown }[]
  used(answer: Record<string, unknown>): Counted
  /** Rerankers of a provider without a list. */
  known: readonly string[]
}

export function scoresOf(list: unknown): { index: unknown; score: unknown }[] {
  if (!Array.isArray(list)) return []
  return list.map((item) => ({ index: item?.index, score: item?.relevance_score ?? item?.score }))
}
