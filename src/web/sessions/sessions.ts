import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getSession, listSessions, type Session } from '#shared/sessions/sessions.ts'
import { call } from '../lib/call.ts'
import { queryClient } from '../lib/query-client.ts'
import { useToken } from '../lib/token.ts'
import {
  firstSessionId,
  flattenSessions,
  mergeHead,
  nextSkip,
  patchSession,
  putSessionFirst,
  readSessionPage,
  removeSessions,
  type SessionPage,
  type SessionPages,
} from './session-pages.ts'

export { shownTitle } from './history/session-mark.ts'
export { readSessionPage } from './session-pages.ts'

const PAGE_SIZE = 50
/** How often the first page is read again: soon while something runs, else now and then. */
const BUSY_POLL_MS = 3000
const IDLE_POLL_MS = 10_000
const DETAILS_POLL_MS = 3000

const listKey = ['sessions', 'list'] as const
const headKey = ['sessions-head'] as const

/**
 * The sessions of the signed-in person, newest first, in pages of 50; with a query the hits.
 * The list lives in the query cache under `sessions`.
 */
export function useSessionList(query = '') {
  const token = useToken()
  return useInfiniteQuery({
    queryKey: [...listKey, query],
    queryFn: ({ pageParam, signal }) => readPage(pageParam, query, signal),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextSkip(pages),
    // The first page is polled below; what is further down does not change by itself.
    staleTime: query ? 10_000 : Number.POSITIVE_INFINITY,
    enabled: token !== null,
    // The last hits stay while the next word is typed; the dated list is no hits.
    placeholderData: (last, lastQuery) => (query && lastQuery?.queryKey.at(-1) ? last : undefined),
  })
}

/** Keeps statuses, titles and order up to date: reads the first page again while the tab is visible. */
export function useSessionHead(isListed: boolean): void {
  const token = useToken()
  useQuery({
    queryKey: headKey,
    queryFn: async ({ signal }) => {
      const head = await readPage(0, '', signal)
      queryClient.setQueryData<InfiniteData<SessionPage, number>>(
        [...listKey, ''],
        (data) => data && (mergeHead(data, head) as typeof data),
      )
      return head.items.some(isUnderWay)
    },
    initialData: false,
    staleTime: BUSY_POLL_MS,
    enabled: isListed && token !== null,
    refetchInterval: ({ state }) => (state.data || hasWorkListed() ? BUSY_POLL_MS : IDLE_POLL_MS),
    refetchOnWindowFocus: 'always',
  })
}

/**
 * The details of one session, read again every 3 s while the tab is visible, beside a stream as well. The history
 * follows what they say.
 */
export function useSessionDetails(sessionId: string | null) {
  const token = useToken()
  return useQuery({
    queryKey: ['session', sessionId],
    queryFn: async ({ signal }) => {
      const session = await call(getSession, { params: { sessionId: sessionId ?? '' }, signal })
      noteSession(session.id, session)
      return session
    },
    enabled: sessionId !== null && token !== null,
    refetchInterval: DETAILS_POLL_MS,
  })
}

/** The session to open when none is chosen: the first one listed; null while that is not known. */
export function useFirstSessionId(currentId: string | null): string | null {
  const { data } = useSessionList()
  return firstSessionId(flattenSessions(data), currentId)
}

/** Shows a new session at once, on top of the history. */
export function addSession(session: Session): void {
  void queryClient.cancelQueries({ queryKey: headKey })
  queryClient.setQueryData<SessionPages>([...listKey, ''], (data) => data && putSessionFirst(data, session))
}

/** Tells the history what else became known about a session: its status from a stream, a new title. */
export function noteSession(sessionId: string, patch: Partial<Session>): void {
  const { match: _, match_message_id: _id, ...known } = patch
  queryClient.setQueriesData<SessionPages>(
    { queryKey: listKey },
    (data) => data && patchSession(data, sessionId, known),
  )
}

/** Shows a title that was given here, before the server has answered and after. */
export function noteTitle(sessionId: string, title: string): void {
  void queryClient.cancelQueries({ queryKey: headKey })
  noteSession(sessionId, { title })
  queryClient.setQueryData<Session>(['session', sessionId], (session) => session && { ...session, title })
}

/** Takes deleted sessions out of every list and forgets their details. */
export function forgetSessions(ids: ReadonlySet<string>): void {
  void queryClient.cancelQueries({ queryKey: headKey })
  queryClient.setQueriesData<SessionPages>({ queryKey: listKey }, (data) => data && removeSessions(data, ids))
  for (const id of ids) queryClient.removeQueries({ queryKey: ['session', id] })
}

async function readPage(skip: number, query: string, signal: AbortSignal): Promise<SessionPage> {
  const answer: unknown = await call(listSessions, {
    query: { skip, limit: PAGE_SIZE, ...(query ? { q: query } : {}) },
    signal,
  })
  return readSessionPage(answer, { skip, limit: PAGE_SIZE })
}

function hasWorkListed(): boolean {
  return flattenSessions(queryClient.getQueryData<SessionPages>([...listKey, ''])).some(isUnderWay)
}

function isUnderWay(session: Session): boolean {
  return session.status === 'GENERATING' || session.agent_status === 'processing'
}
