import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getWorkspace, listWorkspaces, type Workspace } from '#shared/knowledge/workspaces/workspaces.ts'
import { call, callOrNotFound } from '../../platform/lib/api/call.ts'

/** How often workspaces are read again: how many documents they hold is told by nobody. */
const REFRESH_MS = 5000
/** So near to the end more of the list is loaded, in pixels. */
export const NEAR_END = 50

/** Workspaces, page after page; with a session those linked to it. */
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

/** One workspace; `{ notFound: true }` when there is none of that id for this person. */
export function useWorkspace(workspaceId: string | null) {
  return useQuery({
    queryKey: ['workspaces', 'one', workspaceId],
    queryFn: ({ signal }) =>
      callOrNotFound(getWorkspace, { params: { workspaceId: workspaceId ?? '' }, signal }),
    enabled: workspaceId !== null,
  })
}

/** Whether a list is scrolled so near to its end that more is wanted. */
export function isNearEnd({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= NEAR_END
}

/** A workspace that moved between two pages while they were read is listed once. */
function unique(items: Workspace[]): Workspace[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
