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
/** Where the pages of the list are kept. */
export const listKey = [...queryKey, 'list']
/** Where one assistant is kept. */
export const keyOfOne = (id: string | null) => [...queryKey, 'one', id]

/** One assistant; null when it is gone or not the person's to use. */
export async function fetchAssistant(id: string, signal: AbortSignal): Promise<Assistant | null> {
  const found = await callOrNotFound(getAssistant, { params: { assistantId: id }, signal })
  return 'notFound' in found ? null : found
}

/** One assistant for a view. */
export function useOneAssistant(id: string | null): Assistant | null {
  return useOneAssistantQuery(id).data ?? null
}

/** The same with what a view needs to say that it is loading or could not be read. */
export function useOneAssistantQuery(id: string | null) {
  return useQuery({
    queryKey: keyOfOne(id),
    queryFn: ({ signal }) => fetchAssistant(id ?? '', signal),
    staleTime: 60_000,
    enabled: id !== null,
  })
}

/**
 * The assistants the person may use, page by page: own ones, those of the product, what others share. They are read again
 * when the view opens and when assistants were changed somewhere else.
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

/** What a list has beyond what it shows; null at its end. */
export type MoreAssistants = ReturnType<typeof useAssistants>['more']
