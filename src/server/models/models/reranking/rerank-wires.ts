import type { ConnectionKind } from '#shared/models/connections/connections.ts'
import { operationUrl } from '../addresses/operation-url.ts'
import type { Counted } from '../port.ts'
import type { Endpoint, WireRequest } from '../wire/dialect.ts'
import { numberIn } from '../wire/number-in.ts'

/** How a provider's rerankers are asked: a question and texts out, a score for each of them in. */
export type RerankWire = {
  request(model: string, question: string, texts: string[], endpoint: Endpoint): WireRequest
  /** What an answer says, in any order; nothing where it says nothing. */
  read(answer: Record<string, unknown>): { index: unknown; score: unknown }[]
  used(answer: Record<string, unknown>): Counted
  /** Rerankers of a provider that lists none. */
  known: readonly string[]
}

/** The wire that a provider's rerankers are asked with; null where it has none. */
export function rerankWire(
  kind: ConnectionKind,
  { base_url }: Pick<Endpoint, 'base_url'>,
): RerankWire | null {
  if (kind === 'cohere') return cohereRerank
  if (kind !== 'compatible') return null
  const host = URL.canParse(base_url) ? new URL(base_url).hostname : ''
  if (isOf(host, 'voyageai.com')) return voyageRerank
  return isOf(host, 'jina.ai') ? jinaRerank : compatibleRerank
}

const isOf = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
const bearer = (key: string | null): Record<string, string> => (key ? { authorization: `Bearer ${key}` } : {})

const cohereRerank: RerankWire = {
  request: (model, query, documents, { base_url, api_key }) => ({
    url: operationUrl(base_url, '/rerank'),
    headers: bearer(api_key),
    body: { model, query, documents, top_n: documents.length },
  }),
  read: ({ results }) => scoresOf(results),
  used: (answer) => ({ tokens: null, searches: numberIn(answer, 'meta', 'billed_units', 'search_units') }),
  known: [],
}

/** What most count. */
const totalTokens = (answer: Record<string, unknown>): Counted => ({
  ...{ tokens: numberIn(answer, 'usage', 'total_tokens'), searches: null },
})

const jinaRerank: RerankWire = {
  request: (model, query, documents, { base_url, api_key }) => ({
    url: operationUrl(base_url, '/rerank'),
    headers: bearer(api_key),
    body: { model, query, documents, top_n: documents.length, return_documents: false },
  }),
  read: ({ results }) => scoresOf(results),
  used: totalTokens,
  known: ['jina-reranker-v3', 'jina-reranker-m0', 'jina-reranker-v2-base-multilingual'],
}

/** As vLLM, llama.cpp, LocalAI, Infinity and others speak it, which took it from Jina. */
const compatibleRerank: RerankWire = { ...jinaRerank, known: [] }

const voyageRerank: RerankWire = {
  request: (model, query, documents, { base_url, api_key }) => ({
    url: operationUrl(base_url, '/rerank'),
    headers: bearer(api_key),
    body: { model, query, documents, top_k: documents.length },
  }),
  read: ({ data }) => scoresOf(data),
  used: totalTokens,
  known: ['rerank-2.5', 'rerank-2.5-lite'],
}

function scoresOf(list: unknown): { index: unknown; score: unknown }[] {
  if (!Array.isArray(list)) return []
  return list.map((item) => ({ index: item?.index, score: item?.relevance_score ?? item?.score }))
}
