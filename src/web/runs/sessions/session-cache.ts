import { notifyManager } from '@tanstack/react-query'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { queryClient, restartReads } from '../../platform/lib/api/query-client.ts'
import { forgetKeptOf } from '../../platform/lib/kept/kept.ts'
import {
  patchSession,
  pinnedFirst,
  putSessionFirst,
  removeSessions,
  type SessionPages,
} from './session-pages.ts'

/** Query key of the history's pages, followed by the search query and, for a filtered list, by its filter. */
export const listKey = ['sessions', 'list'] as const
/** Query key of its first page, which is polled. */
export const headKey = ['sessions-head'] as const

/** Shows a new session at the top of the history immediately. Returns its id. */
export function addSession(session: Session): string {
  void queryClient.cancelQueries({ queryKey: headKey })
  queryClient.setQueryData(['session', session.id], session)
  queryClient.setQueryData<SessionPages>([...listKey, ''], (data) => data && putSessionFirst(data, session))
  return session.id
}

/**
 * Applies a local change of a session, such as a status from a stream or a new title. History and chat show it immediately,
 * and no pending request reverts it.
 */
export function noteSession(sessionId: string, patch: Partial<Session>): void {
  void queryClient.cancelQueries({ queryKey: headKey })
  if (queryClient.getQueryData(['session', sessionId]))
    void queryClient.cancelQueries({ queryKey: ['session', sessionId] })
  tellEverywhere(sessionId, patch)
}

/**
 * Shows a change that the server reported. Requests under way may have been answered before the change, so they start
 * again instead of reverting it.
 */
export function noteChange(sessionId: string, patch: Partial<Session>): void {
  restartReads(headKey)
  restartReads(['session', sessionId])
  tellEverywhere(sessionId, patch)
}

/** Refetches the first page of the history if it is on screen. */
export function refreshHead(): void {
  void queryClient.invalidateQueries({ queryKey: headKey })
}

/** Returns the cached state of a session; null if it was never read. */
export function knownSession(sessionId: string): Session | null {
  return (
    queryClient.getQueryData<Session>(['session', sessionId]) ??
    queryClient
      .getQueriesData<SessionPages>({ queryKey: listKey })
      .flatMap(([, data]) => pinnedFirst(data))
      .find(({ id }) => id === sessionId) ??
    null
  )
}

/** Returns whether a listed session has messages; false while the list is unknown. */
export function hasWrittenChats(): boolean {
  return pinnedFirst(queryClient.getQueryData<SessionPages>([...listKey, ''])).some(
    ({ preview }) => preview !== null,
  )
}

/** Removes deleted sessions from every list and discards their details. */
export function forgetSessions(ids: ReadonlySet<string>): void {
  void queryClient.cancelQueries({ queryKey: headKey })
  queryClient.setQueriesData<SessionPages>({ queryKey: listKey }, (data) => data && removeSessions(data, ids))
  for (const id of ids) {
    queryClient.removeQueries({ queryKey: ['session', id] })
    forgetKeptOf(id)
  }
}

/** Updates a session in all caches, so that every view changes simultaneously. */
export function tellEverywhere(sessionId: string, patch: Partial<Session>): void {
  const { match: _, match_message_id: _id, ...known } = patch
  notifyManager.batch(() => {
    noteStandstill(sessionId, known)
    tellDetails(sessionId, known)
    queryClient.setQueriesData<SessionPages>(
      { queryKey: listKey },
      (data) => data && patchSession(data, sessionId, known),
    )
    // Running sessions are polled sooner.
    if (known.status === 'GENERATING' && queryClient.getQueryData(headKey) === false)
      queryClient.setQueryData(headKey, true)
  })
}

/** Updates the details of a session if they were read. */
export function tellDetails(sessionId: string, patch: Partial<Session>): void {
  queryClient.setQueryData<Session>(['session', sessionId], (session) => session && { ...session, ...patch })
}

/** Waiting requests change when a session stops running. */
export function noteStandstill(sessionId: string, { agent_status }: Partial<Session>): void {
  const before = knownSession(sessionId)
  if (!before || agent_status === undefined) return
  if ((before.agent_status === 'paused') === (agent_status === 'paused')) return
  void queryClient.invalidateQueries({ queryKey: ['input-requests'] })
}
