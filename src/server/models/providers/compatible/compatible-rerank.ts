import { keyHeaders } from '../../models/addresses/key-headers.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import type { Counted } from '../../models/port.ts'
import { type RerankWire, scoresOf } from '../../models/reranking/rerank-wire.ts'
import { numberIn } from '../../models/wire/number-in.ts'
import { isOf } from './domains.ts'

/** The wire that the rerankers at an address are asked with. */
export function rerankAt(base_url: string): RerankWire {
  if (isOf(base_url, 'voyageai.com')) return voyageRerank
  return isOf(base_url, 'jina.ai') ? jinaRerank : compatibleRerank
}

/** Usage of the servers that count tokens, not searches. */
const totalTokens = (answer: Record<string, unknown>): Counted => ({
  ...{ tokens: numberIn(answer, 'usage', 'total_tokens'), searches: null },
})

const jinaRerank: RerankWire = {
  request: (model, query, documents, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/rerank'),
    headers: keyHeaders(endpoint),
    body: { model, query, documents, top_n: documents.length, return_documents: false },
  }),
  read: ({ results }) => scoresOf(results),
  used: totalTokens,
  known: ['jina-reranker-v3', 'jina-reranker-m0', 'jina-reranker-v2-base-multilingual'],
}

/** As vLLM, llama.cpp, LocalAI, Infinity and others speak it, which took it from Jina. */
const compatibleRerank: RerankWire = { ...jinaRerank, known: [] }

const voyageRerank: RerankWire = {
  request: (model, query, documents, endpoint) => ({
    url: operationUrl(endpoint.base_url, '/rerank'),
    headers: keyHeaders(endpoint),
    body: { model, query, documents, top_k: documents.length },
  }),
  read: ({ data }) => scoresOf(data),
  used: totalTokens,
  known: ['rerank-2.5', 'rerank-2.5-lite'],
}

/** Dollars per million tokens of Voyage. */
const perToken: Record<string, number> = { 'rerank-2.5': 0.05, 'rerank-2.5-lite': 0.02 }

/** Cost of reranked tokens at an address, in dollars; null when no price is known. */
export function rerankTokenCost(base_url: string, model: string, tokens: number): number | null {
  const price = isOf(base_url, 'voyageai.com') ? perToken[model] : undefined
  return price === undefined ? null : (tokens * price) / 1_000_000
}
