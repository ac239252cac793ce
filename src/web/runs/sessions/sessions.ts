import {
  type InfiniteData,
  infiniteQueryOptions,
  notifyManager,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  getSession,
  listSessions,
  type Session,
  type SessionMetadata,
} from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery, queryClient, restartReads } from '../../platform/lib/api/query-client.ts'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { allChats, type HistoryFilter, keyOfFilter } from './history/history-filter.ts'
import {
  headKey,
  knownSession,
  listKey,
  noteChange,
  noteSession,
  noteStandstill,
  tellDetails,
  tellEverywhere,
} from './session-cache.ts'
import {
  firstSessionId,
  flattenSessions,
  mergeHead,
  nextSkip,
  pinnedFirst,
  readSessionPage,
  type SessionPage,
  type SessionPages,
} from './session-pages.ts'
import { useIsUnmade } from './unmade.ts'

export { CHATS_TYPE } from './dragged-chats.ts'
export { markOf, type SessionMark, titleOf } from './history/session-mark.ts'
export { SessionMarkIcon } from './history/session-mark-icon.tsx'
export { useReadMark } from './read-mark.ts'
export {
  addSession,
  forgetSessions,
  hasWrittenChats,
  knownSession,
  noteChange,
  noteSession,
  refreshHead,
} from './session-cache.ts'
export { readSessionPage } from './session-pages.ts'
export { loadAhead, startChat } from './start-chat.ts'
export { isUnmade, unmadeChats } from './unmade.ts'

/** Loads the code that changes and shows marks. */
export const loadMarks = () => import('./marks.ts')

/** Loads the list of actions that can be undone. */
export const loadUndo = () => import('./undo.ts')

/** Preloads the rename field. */
export const loadRenameField = () => import('./history/rename-field.tsx')

const PAGE_SIZE = 50
/** Polling interval of the first page: short while something runs, otherwise long. */
const BUSY_POLL_MS = 3000
const IDLE_POLL_MS = 10_000
const DETAILS_POLL_MS = 3000

/**
 * The sessions of the signed-in person, newest first, in pages of 50; with a query the hits, with a filter those it lets
 * through. Cached under `sessions`.
 */
export function useSessionList(query = '', filter: HistoryFilter = allChats) {
  const token = useToken()
  const isPlain = query === '' && keyOfFilter(filter) === null
  return useInfiniteQuery({
    ...listOf(query, filter),
    // The first page is polled below; later pages do not change by themselves.
    staleTime: isPlain ? Number.POSITIVE_INFINITY : 10_000,
    enabled: token !== null,
    // Shows the previous hits while a query is typed; the dated list does not count as hits.
    placeholderData: (last, lastQuery) => (query && lastQuery?.queryKey[2] ? last : undefined),
  })
}

const listOf = (query: string, filter: HistoryFilter = allChats) =>
  infiniteQueryOptions({
    queryKey: keyOfList(query, filter),
    queryFn: ({ pageParam, signal }) => readPage(pageParam, { query, filter }, signal),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextSkip(pages),
  })

function keyOfList(query: string, filter: HistoryFilter): readonly string[] {
  const key = keyOfFilter(filter)
  return key === null ? [...listKey, query] : [...listKey, query, key]
}

/** Loads the first page of the list before anything is rendered. The list reports errors. */
export function readFirstSessions(): Promise<void> {
  return queryClient.prefetchInfiniteQuery({
    queryKey: [...listKey, ''],
    queryFn: ({ pageParam, signal }) => readPage(pageParam, {}, signal),
    initialPageParam: 0,
    retry: false,
  })
}

/** Keeps statuses, titles and order up to date by polling the first page while the tab is visible. */
export function useSessionHead(isListed: boolean): void {
  const token = useToken()
  useQuery({
    queryKey: headKey,
    queryFn: async ({ signal }) => {
      const head = await readPage(0, {}, signal)
      signal.throwIfAborted()
      tellHead(head)
      return head.items.some(isUnderWay)
    },
    initialData: false,
    staleTime: BUSY_POLL_MS,
    enabled: isListed && token !== null,
    refetchInterval: ({ state }) => pollEvery(state.data || hasWorkListed() ? BUSY_POLL_MS : IDLE_POLL_MS),
    refetchOnWindowFocus: 'always',
  })
}

/**
 * The details of one session, polled every 3 s while the tab is visible, even during a stream. The history follows them.
 */
export function useSessionDetails(sessionId: string | null) {
  const token = useToken()
  const isUnmade = useIsUnmade(sessionId)
  return useQuery({
    ...detailsOf(sessionId ?? ''),
    enabled: sessionId !== null && token !== null && !isUnmade,
    refetchInterval: DETAILS_POLL_MS,
  })
}

const detailsOf = (sessionId: string) => ({
  queryKey: ['session', sessionId],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const session = await call(getSession, { params: { sessionId }, signal })
    signal.throwIfAborted()
    tellEverywhere(sessionId, session)
    return session
  },
})

/** Returns the titles of the sessions in the history, so that other views show the same ones. */
export function useListedTitles(): ReadonlyMap<string, string> {
  const { data } = useInfiniteQuery({ ...listOf(''), enabled: false })
  return useMemo(() => new Map(pinnedFirst(data).map(({ id, title }) => [id, title])), [data])
}

/** Returns the session to open if none is selected: the first one listed; null while unknown. */
export function useFirstSessionId(currentId: string | null): string | null {
  const { data } = useSessionList()
  return firstSessionId(flattenSessions(data), currentId)
}

/**
 * Returns whether a session has no messages, according to the history; null means the session that opens by default.
 */
export function useIsUnused(sessionId: string | null): boolean {
  const { data, isSuccess } = useSessionList()
  const isCreating = useCurrentSession((state) => state.isCreating)
  const firstId = useFirstSessionId(null)
  if (sessionId === null && (isCreating || (isSuccess && firstId === null))) return true
  const shown = flattenSessions(data).find(({ id }) => id === (sessionId ?? firstId))
  const known = shown ?? (sessionId === null ? null : knownSession(sessionId))
  return known?.preview === null
}

/**
 * Changes the settings of a session: shown everywhere immediately, and reverted if the server refuses. `save` may return
 * the server's version. @throws what `save` throws
 */
export async function setInSession(
  sessionId: string,
  chosen: Partial<SessionMetadata>,
  save: () => Promise<Partial<SessionMetadata>>,
): Promise<void> {
  const before = knownSession(sessionId)?.session_metadata ?? {}
  noteSession(sessionId, { session_metadata: { ...before, ...chosen } })
  try {
    const kept = await save()
    noteChange(sessionId, { session_metadata: { ...before, ...chosen, ...kept } })
  } catch (error) {
    noteSession(sessionId, { session_metadata: before })
    throw error
  }
}

/** Refetches a session, whether it is on screen or only listed. */
export function refreshSession(sessionId: string): void {
  restartReads(['session', sessionId])
  // Its view reports the error, and the next poll retries.
  queryClient.fetchQuery({ ...detailsOf(sessionId), staleTime: 0, retry: false }).catch(() => undefined)
}

function tellHead(head: SessionPage): void {
  notifyManager.batch(() => {
    for (const session of head.items) {
      noteStandstill(session.id, session)
      tellDetails(session.id, session)
    }
    queryClient.setQueryData<InfiniteData<SessionPage, number>>(
      [...listKey, ''],
      (data) => data && (mergeHead(data, head) as typeof data),
    )
  })
}

async function readPage(
  skip: number,
  { query, filter = allChats }: { query?: string; filter?: HistoryFilter },
  signal: AbortSignal,
): Promise<SessionPage> {
  const answer: unknown = await call(listSessions, {
    query: {
      ...{ skip, limit: PAGE_SIZE },
      ...(query ? { q: query } : {}),
      ...(filter.isArchived ? { archived: 'true' as const } : {}),
      ...(filter.tags.length > 0 ? { tags: filter.tags.join(',') } : {}),
    },
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
