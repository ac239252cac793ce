import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  type InputRequest,
  listInputRequests,
  type RequestState,
} from '#shared/runs/input-requests/input-requests.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery } from '../../platform/lib/api/query-client.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { useListedTitles } from '../../runs/sessions/sessions.ts'
import { idOf } from './inbox-groups.ts'

/** Polling interval of the list without push; a local answer or a resting run refetches immediately. */
const POLL_MS = 10_000
const PAGE = 50
/** Number of requests shown in the badge. */
export const FIRST = 5

/** Returns the number of waiting requests and the first ones, updated while the tab is visible. */
export function useWaiting() {
  const token = useToken()
  const entitle = useTitles()
  return useQuery({
    queryKey: ['input-requests', 'first'],
    queryFn: ({ signal }) => call(listInputRequests, { query: { limit: FIRST }, signal }),
    select: (page) => ({ ...page, items: page.items.map(entitle) }),
    enabled: token !== null,
    refetchInterval: () => pollEvery(POLL_MS),
    refetchOnWindowFocus: 'always',
  })
}

/** State of the inbox, and the assistant whose chats are shown. */
export type InboxPlace = { status: RequestState; assistant: string | null }

/** The requests of one state, in pages; updated like the badge. */
export function useInbox({ status, assistant }: InboxPlace) {
  const entitle = useTitles()
  const query = { status, limit: PAGE, ...(assistant && { assistant_id: assistant }) }
  return useInfiniteQuery({
    queryKey: ['input-requests', status, assistant],
    queryFn: ({ pageParam: skip, signal }) => call(listInputRequests, { query: { ...query, skip }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0)
      return last.items.length > 0 && read < last.total ? read : undefined
    },
    // A request answered between two pages shifts the others.
    select: ({ pages }) => ({
      items: [
        ...new Map(pages.flatMap(({ items }) => items).map((item) => [idOf(item), entitle(item)])).values(),
      ],
      total: pages.at(-1)?.total ?? 0,
      assistants: pages[0]?.assistants ?? [],
    }),
    refetchInterval: () => pollEvery(POLL_MS),
    refetchOnWindowFocus: 'always',
  })
}

/** Returns the titles of chats as in the history. */
function useTitles() {
  const titles = useListedTitles()
  return useCallback(
    (item: InputRequest) => {
      const title = titles.get(item.session_id ?? '')
      return title === undefined ? item : { ...item, session_title: title }
    },
    [titles],
  )
}
