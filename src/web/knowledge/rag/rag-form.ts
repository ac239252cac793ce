import type { RagRequest } from '#shared/knowledge/rag/rag.ts'
import { DEFAULT_RERANKER, LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'

/** The state of the form. */
export type RagForm = {
  query: string
  collection: string
  /** Empty until a choice is made, which means the preferred one (`rag-models.ts`). */
  provider: string
  model: string
  limit: number
  isHybrid: boolean
  alpha: number
  /** Empty for none. */
  reranker: string
  top: number
  temperature: number
  isJson: boolean
  isOnlyThis: boolean
}

export const emptyRag: RagForm = {
  ...{ query: '', collection: LIBRARY_COLLECTION, provider: '', model: '', limit: 10, isHybrid: true },
  ...{ alpha: 0.5, reranker: DEFAULT_RERANKER, top: 5, temperature: 0, isJson: false, isOnlyThis: true },
}

/** Returns the text key of the problem that keeps a form from being sent; null if there is none. */
export function problemOf({ query, collection }: RagForm): 'no_query' | 'no_collection' | null {
  if (query.trim() === '') return 'no_query'
  return collection === '' ? 'no_collection' : null
}

/** Returns the request of a form; `documentId` is the current document. */
export function requestOf(form: RagForm, documentId: string): RagRequest {
  const { provider, model, temperature } = form
  return {
    ...{ query: form.query.trim(), collection_name: form.collection, limit: form.limit, top_n: form.top },
    ...{ hybrid_search: form.isHybrid, hybrid_alpha: form.alpha, reranker_name: form.reranker || null },
    ...{ provider, model, temperature, use_json_output: form.isJson },
    ...(form.isOnlyThis && {
      filters: [{ property: 'document_id', operator: 'equal' as const, value: documentId }],
    }),
  }
}
