import type { Counted } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'

/** How a provider's rerankers are asked: a question and texts out, a score for each of them in. */
export type RerankWire = {
  request(model: string, question: string, texts: string[], endpoint: Endpoint): WireRequest
  /** What an answer says, in any order; nothing where it says nothing. */
  read(answer: Record<string, unknown>): { index: unknown; score: unknown }[]
  used(answer: Record<string, unknown>): Counted
  /** Rerankers of a provider that lists none. */
  known: readonly string[]
}

export function scoresOf(list: unknown): { index: unknown; score: unknown }[] {
  if (!Array.isArray(list)) return []
  return list.map((item) => ({ index: item?.index, score: item?.relevance_score ?? item?.score }))
}
