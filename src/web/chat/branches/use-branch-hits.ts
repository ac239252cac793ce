import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type BranchHit, findInBranches } from '#shared/chat/branches/branches.ts'
import { call } from '../../platform/lib/api/call.ts'

const PAGE_SIZE = 50
const DEBOUNCE_MS = 250

/** Searches the messages of all branches for the debounced query, in pages. */
export function useBranchHits(sessionId: string, typed: string) {
  const [query, setQuery] = useState('')
  useEffect(() => {
    const words = typed.trim()
    const timer = setTimeout(() => setQuery(words), words ? DEBOUNCE_MS : 0)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useInfiniteQuery({
    queryKey: ['branch-hits', sessionId, query],
    queryFn: ({ pageParam, signal }) =>
      call(findInBranches, {
        params: { sessionId },
        query: { q: query, skip: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { items }) => sum + items.length, 0)
      return last.items.length > 0 && count < last.total ? count : null
    },
    enabled: query !== '',
    // The previous hits stay while the next word is typed.
    placeholderData: (last) => (query ? last : undefined),
  })
  const { hasNextPage, isFetching, fetchNextPage } = found
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  const hits: readonly BranchHit[] = query ? (found.data?.pages.flatMap(({ items }) => items) ?? []) : []
  return {
    ...{ query, hits, loadMore, total: found.data?.pages[0]?.total ?? 0 },
    ...{ isLoading: found.isLoading, isError: found.isError },
    isEmpty: found.isSuccess && !found.isPlaceholderData && hits.length === 0,
  }
}
