import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  ASSISTANTS_PAGE,
  type Assistant,
  getAssistant,
  listAssistants,
} from '#shared/chat/assistants/assistants.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'

const queryKey = ['assistants']
/** Query key of the list's pages. */
export const listKey = [...queryKey, 'list']
/** Query key of one assistant. */
export const keyOfOne = (id: string | null) => [...queryKey, 'one', id]

/** Returns one assistant; null if it is gone or the person may not use it. */
export async function fetchAssistant(id: string, signal: AbortSignal): Promise<Assistant | null> {
  const found = await callOrNotFound(getAssistant, { params: { assistantId: id }, signal })
  return 'notFound' in found ? null : found
}

/** Returns one assistant for a view. */
export function useOneAssistant(id: string | null): Assistant | null {
  return useOneAssistantQuery(id).data ?? null
}

/** Does the same with the loading and error state. */
export function useOneAssistantQuery(id: string | null) {
  return useQuery({
    queryKey: keyOfOne(id),
    queryFn: ({ signal }) => fetchAssistant(id ?? '', signal),
    staleTime: 60_000,
    enabled: id !== null,
  })
}

/**
 * The assistants the person may use, in pages: own ones, built-in ones, shared ones. Refetched when the view opens and when
 * assistants have changed elsewhere.
 */
export function useAssistants() {
  const token = useToken()
  useEffect(() => {
    const refetch = () => void queryClient.invalidateQueries({ queryKey })
    window.addEventListener('assistants-updated', refetch)
    return () => window.removeEventListener('assistants-updated', refetch)
  }, [])
  const { data, isError, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam: after, signal }) =>
      call(listAssistants, { query: after === null ? {} : { after }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < ASSISTANTS_PAGE ? undefined : last.at(-1)?.id),
    select: ({ pages }) => pages.flat(),
    enabled: token !== null,
  })
  const more = hasNextPage ? { isLoading: isFetching, load: () => void fetchNextPage() } : null
  return { data, isError, refetch, more }
}

/** The further pages of a list; null at its end. */
export type MoreAssistants = ReturnType<typeof useAssistants>['more']
