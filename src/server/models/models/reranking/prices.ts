import type { ConnectionKind } from '#shared/models/connections/connections.ts'
import type { Usage } from '../port.ts'

/** So many texts are one search. */
export const TEXTS_OF_A_SEARCH = 100

/** Dollars per thousand searches. */
const perSearch: Record<string, number> = {
  'rerank-v4.0-pro': 2.5,
  'rerank-v4.0-fast': 2,
  'rerank-v3.5': 2,
  'rerank-english-v3.0': 2,
  'rerank-multilingual-v3.0': 2,
}
/** Dollars per million tokens of Voyage. */
const perToken: Record<string, number> = { 'rerank-2.5': 0.05, 'rerank-2.5-lite': 0.02 }

type Server = { kind: ConnectionKind; base_url: string }

/** What a rerank call cost in dollars; null when no price is known. */
export function rerankCost(
  { kind, base_url }: Server,
  model: string,
  { searches, input_tokens }: Usage,
): number | null {
  if (kind === 'cohere') {
    const price = perSearch[model]
    return price === undefined ? null : ((searches ?? 0) * price) / 1_000
  }
  const isVoyage = URL.canParse(base_url) && /(^|\.)voyageai\.com$/.test(new URL(base_url).hostname)
  const price = isVoyage ? perToken[model] : undefined
  return price === undefined ? null : (input_tokens * price) / 1_000_000
}
