import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type SearchObject, searchAndRerank } from '#shared/knowledge/search/search.ts'
import { call } from '../../../platform/lib/api/call.ts'
import type { Scope } from '../library/use-library.ts'

/** Passages that are read; of each document the best is shown. */
const MAX_PASSAGES = 50
const FRESH_MS = 60_000

/**
 * Returns the best passage of each document of the list that contains the words. The search by keywords needs no model and is
 * free. `hits` is null while it is unknown; `isOff` says that this search cannot be used.
 */
export function useContentHits(words: string, { workspaceId, sessionId }: Scope) {
  const { data, isError, isPlaceholderData } = useQuery({
    queryKey: ['documents', 'contents', words, workspaceId, sessionId],
    queryFn: async ({ signal }) => {
      const body = {
        ...{ query: words, use_bm25: true, hybrid_search: false, limit: MAX_PASSAGES },
        ...(workspaceId && { workspace_ids: [workspaceId] }),
        ...(sessionId && { chat_session_id: sessionId }),
      }
      return bestOfEach((await call(searchAndRerank, { body, signal })).objects)
    },
    enabled: words !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { hits: isPlaceholderData ? null : (data ?? null), isOff: isError }
}

function bestOfEach(objects: readonly SearchObject[]): SearchObject[] {
  const best = new Map<string, SearchObject>()
  for (const object of objects)
    if (!best.has(object.properties.document_id)) best.set(object.properties.document_id, object)
  return [...best.values()]
}
