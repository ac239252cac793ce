import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getPrompt, listPrompts, PROMPTS_PAGE, type Prompt } from '#shared/chat/prompts/prompts.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'

export const promptsKey = ['prompts']
const listKey = [...promptsKey, 'list']
/** Query key of one prompt. */
export const keyOfOne = (id: string | null) => [...promptsKey, 'one', id]

/** The prompts a person may use, in pages; with words those that match. */
export function usePromptList(q: string) {
  const { data, isError, refetch, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: [...listKey, q],
    queryFn: ({ pageParam: skip, signal }) =>
      call(listPrompts, { query: { ...(q ? { q } : {}), skip }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, skip) =>
      items.length < PROMPTS_PAGE || skip + items.length >= total ? undefined : skip + items.length,
    placeholderData: keepPreviousData,
  })
  return {
    items: data?.pages.flatMap(({ items }) => items),
    total: data?.pages[0]?.total ?? 0,
    ...{ isError, refetch },
    more: hasNextPage ? { isLoading: isFetching, load: () => void fetchNextPage() } : null,
  }
}

/** The prompts that a slash finds, best first. */
export function useFoundPrompts(q: string, limit: number) {
  return useQuery({
    queryKey: [...promptsKey, 'found', q],
    queryFn: ({ signal }) => call(listPrompts, { query: { ...(q ? { q } : {}), limit }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

/** One prompt; null if it is gone. */
export function usePrompt(id: string | null) {
  return useQuery({
    queryKey: keyOfOne(id),
    queryFn: async ({ signal }): Promise<Prompt | null> => {
      const found = await callOrNotFound(getPrompt, { params: { promptId: id ?? '' }, signal })
      return 'notFound' in found ? null : found
    },
    enabled: id !== null,
    staleTime: 10_000,
  })
}
