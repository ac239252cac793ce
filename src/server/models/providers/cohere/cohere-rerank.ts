import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import { type RerankWire, scoresOf } from '../../models/reranking/rerank-wire.ts'
import { numberIn } from '../../models/wire/number-in.ts'

export const cohereRerank: RerankWire = {
  request: (model, query, documents, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/rerank'),
    headers: keyHeaders(endpoint),
    body: { model, query, documents, top_n: documents.length },
  }),
  read: ({ results }) => scoresOf(results),
  used: (answer) => ({ tokens: null, searches: numberIn(answer, 'meta', 'billed_units', 'search_units') }),
  known: [],
}

/** Dollars per thousand searches. */
const perSearch: Record<string, number> = {
  'rerank-v4.0-pro': 2.5,
  'rerank-v4.0-fast': 2,
  'rerank-v3.5': 2,
  'rerank-english-v3.0': 2,
  'rerank-multilingual-v3.0': 2,
}

/** Cost of searches in dollars; null when no price is known. */
export function searchCost(model: string, searches: number): number | null {
  const price = perSearch[model]
  return price === undefined ? null : (searches * price) / 1_000
}
