import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { DEFAULT_RERANKER, getVectorInfo, listRerankers } from '#shared/knowledge/search/search.ts'
import { call } from '../../platform/lib/api/call.ts'

/** Used if the server lists none. */
const defaultRerankers = [DEFAULT_RERANKER, 'cosine_similarity_reranker'].map((name) => ({
  name,
  description: '',
}))

export function useRerankers() {
  const { data, error } = useQuery({
    queryKey: ['rerankers'],
    queryFn: ({ signal }) => call(listRerankers, { signal }),
  })
  return { rerankers: data?.rerankers ?? (error ? defaultRerankers : []), error }
}

/** Scrolls results below a form into view on a narrow screen. */
export function useBroughtUp(isComing: boolean) {
  const shown = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isComing) shown.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isComing])
  return shown
}

/** The vectors of a collection. */
export function useVectorFields(collection: string) {
  const { data, error } = useQuery({
    queryKey: ['vector-fields', collection],
    queryFn: ({ signal }) => call(getVectorInfo, { params: { collection }, signal }),
    enabled: collection !== '',
  })
  return { fields: data?.vector_fields ?? [], error }
}
