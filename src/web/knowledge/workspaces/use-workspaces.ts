import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getWorkspace, listWorkspaces, type Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'

/** Polling interval of workspaces, because their document counts are not pushed. */
const REFRESH_MS = 5000
/** Distance to the end at which more is loaded, in pixels. */
export const NEAR_END = 50

/** Workspaces in pages; with a session those linked to it. */
export function useWorkspaces(sessionId?: string) {
  const list = useInfiniteQuery({
    queryKey: ['workspaces', 'list', sessionId ?? null],
    queryFn: ({ pageParam, signal }) =>
      call(listWorkspaces, {
        query: { page: pageParam, ...(sessionId && { chat_session_id: sessionId }) },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, has_more }) => (has_more ? page + 1 : undefined),
    refetchInterval: REFRESH_MS,
  })
  const items = useMemo(() => unique(list.data?.pages.flatMap((page) => page.items) ?? []), [list.data])
  const total = list.data?.pages[0]?.total ?? 0
  return { ...list, items, total }
}

/** One workspace; `{ notFound: true }` if it does not exist for this person. */
export function useWorkspace(workspaceId: string | null) {
  return useQuery({
    queryKey: ['workspaces', 'one', workspaceId],
    queryFn: ({ signal }) =>
      callOrNotFound(getWorkspace, { params: { workspaceId: workspaceId ?? '' }, signal }),
    enabled: workspaceId !== null,
  })
}

/** Returns whether a list is scrolled close enough to its end to load more. */
export function isNearEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= NEAR_END
}

/** Removes duplicates of workspaces that moved between pages. */
function unique(items: Workspace[]): Workspace[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
