import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listProjects } from '#shared/chat/projects/projects.ts'
import type { SearchHit, SearchKind } from '#shared/chat/search/search.ts'
import { searchEverything } from '#shared/chat/search/search.ts'
import { listTags } from '#shared/chat/session-marks/session-marks.ts'
import { call } from '../../platform/lib/api/call.ts'
import { availableModels } from '../../platform/lib/models/available-models.ts'
import { queryOf, type SearchFilter } from './filter.ts'

export type HitGroup = { kind: SearchKind; items: SearchHit[]; cursor: string | null }

/** Returns the hits of a filter by type. Until the answer comes, the hits before are returned. */
export function useSearchHits(filter: SearchFilter) {
  return useQuery({
    queryKey: ['search', filter],
    queryFn: ({ signal }) => call(searchEverything, { query: queryOf(filter), signal }),
    enabled: Boolean(filter.q),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Returns the hits of one type, with further pages once they are wanted. */
export function useMoreHits(filter: SearchFilter, { kind, items, cursor }: HitGroup) {
  const [isWanted, setWanted] = useState(false)
  const { data, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['search', filter, kind, cursor],
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { ...queryOf(filter), kinds: kind, after, limit: 20 }
      const { groups } = await call(searchEverything, { query, signal })
      return { items: groups[0]?.items ?? [], cursor: groups[0]?.cursor ?? null }
    },
    initialPageParam: cursor ?? '',
    getNextPageParam: (page) => page.cursor,
    enabled: isWanted && cursor !== null,
  })
  const hasMore = data ? hasNextPage : cursor !== null
  return {
    hits: [...items, ...(data?.pages.flatMap((page) => page.items) ?? [])],
    more: hasMore
      ? { isLoading: isFetching, load: () => (data ? void fetchNextPage() : setWanted(true)) }
      : null,
  }
}

/** The projects, tags and models that a search can be narrowed to. */
export function useFilterChoices() {
  const projects = useQuery({
    queryKey: ['projects', 'for-search'],
    queryFn: ({ signal }) => call(listProjects, { signal }),
    staleTime: 30_000,
  })
  const tags = useQuery({
    queryKey: ['tags', 'for-search'],
    queryFn: ({ signal }) => call(listTags, { signal }),
    staleTime: 30_000,
  })
  const models = useQuery(availableModels)
  return {
    projects: projects.data?.items ?? [],
    tags: tags.data?.items ?? [],
    models: models.data ?? [],
  }
}
