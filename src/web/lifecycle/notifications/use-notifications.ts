import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { listNotifications, readNotifications } from '#shared/lifecycle/notifications/notifications.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery, queryClient } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'

/** Polling interval without push. */
const POLL_MS = 20_000
/** Notifications behind the bell. */
const FIRST = 20
const PAGE = 50

/** Returns the newest notifications and the number of unread ones. */
export function useFirstNotifications() {
  const token = useToken()
  return useQuery({
    queryKey: ['notifications', 'first'],
    queryFn: ({ signal }) => call(listNotifications, { query: { limit: FIRST }, signal }),
    enabled: token !== null,
    refetchInterval: () => pollEvery(POLL_MS),
    refetchOnWindowFocus: 'always',
  })
}

/** All notifications, in pages. */
export function useNotifications() {
  return useInfiniteQuery({
    queryKey: ['notifications', 'all'],
    queryFn: ({ pageParam: page, signal }) =>
      call(listNotifications, { query: { page, limit: PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
    // A new notification between two pages shifts the others.
    select: ({ pages }) => ({
      items: [...new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()],
      unread: pages[0]?.unread ?? 0,
    }),
  })
}

/** Marks notifications as read: the named ones, or all up to a time. */
export function useRead() {
  return useMutation({
    mutationFn: (body: { ids: string[] } | { until: string }) => call(readNotifications, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notifications'] }),
  })
}
