import { DEFAULT_RERANKER, type JoinStrategy, LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'

export type SearchType = 'vector' | 'keyword' | 'hybrid'

/** The state of the form. */
export type SearchForm = {
  query: string
  collection: string
  type: SearchType
  limit: number
  alpha: number
  /** Names of vectors; empty for all. */
  targets: string[]
  join: JoinStrategy
  /** Empty for none. */
  reranker: string
  top: number
  /** 0 for none. */
  threshold: number
  isOnlyThis: boolean
}

export const emptySearch: SearchForm = {
  ...{ query: '', collection: LIBRARY_COLLECTION, type: 'hybrid', limit: 20, alpha: 0.5, targets: [] },
  ...{ join: 'minimum', reranker: DEFAULT_RERANKER, top: 5, threshold: 0, isOnlyThis: true },
}

/** Returns the request of a form; `documentId` is the current document. */
export function requestOf(form: SearchForm, documentId: string) {
  return {
    ...{ query: form.query.trim(), collection_name: form.collection, limit: form.limit, offset: 0 },
    ...{ use_bm25: form.type === 'keyword', hybrid_search: form.type === 'hybrid' },
    ...{ hybrid_alpha: form.alpha, join_strategy: form.join, top_n: form.top },
    ...(form.targets.length > 0 && { target_vectors: form.targets }),
    ...(form.reranker && { reranker_name: form.reranker }),
    ...(form.threshold > 0 && { reranker_parameters: { threshold: form.threshold } }),
    ...(form.isOnlyThis && {
      filters: [{ property: 'document_id', operator: 'equal' as const, value: documentId }],
    }),
  }
}
