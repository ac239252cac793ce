import { notifyManager } from '@tanstack/react-query'
import {
  MAX_MARKED,
  type MarkChange,
  type MarkedSession,
  markSessions,
  orderPins,
} from '#shared/chat/session-marks/session-marks.ts'
import { restoreSession, type Session } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { knownSession, listKey, noteChange, noteSession, refreshHead } from './session-cache.ts'
import { removeSessions, type SessionPages } from './session-pages.ts'

export type { MarkChange } from '#shared/chat/session-marks/session-marks.ts'

/** Query key of the person's tags. */
export const tagsKey = ['session-tags']
/** Waits for the other events of the same change, so that lists are read again once. */
const TOGETHER_MS = 100

let refresh: ReturnType<typeof setTimeout> | undefined
/** A restored chat may belong on any page of the history. */
let isWhole = false

/** Stores marks of chats and shows them. @throws ApiError */
export async function markChats(changes: readonly MarkChange[]): Promise<void> {
  for (let at = 0; at < changes.length; at += MAX_MARKED) {
    const { items } = await call(markSessions, { body: { items: changes.slice(at, at + MAX_MARKED) } })
    noteMarks(items)
  }
}

/** Shows a new order of the pins immediately, and stores it. @throws ApiError */
export async function movePins(ids: readonly string[]): Promise<void> {
  notifyManager.batch(() => {
    for (const [at, id] of ids.entries()) noteSession(id, { pin_position: at + 1 })
  })
  try {
    await call(orderPins, { body: { session_ids: [...ids] } })
  } finally {
    refreshHead()
  }
}

/** Shows marks that changed here or in another browser. */
export function noteMarks(marked: readonly MarkedSession[]): void {
  notifyManager.batch(() => {
    for (const { session_id, pin_position, is_archived, is_unread, tags } of marked) {
      const before = knownSession(session_id)
      noteChange(session_id, { pin_position, is_archived, is_unread, tags })
      if (is_archived && !before?.is_archived) leaveHistory(session_id)
      if (!before || isMoved(before, { pin_position, is_archived, tags })) refreshSoon()
      if (before?.is_archived && !is_archived) isWhole = true
    }
  })
}

/** Returns the values to set for a chat to have its present marks again, tags apart. */
export function marksOf({ id, pin_position, is_archived, is_unread }: Session): MarkChange {
  return { session_id: id, is_pinned: pin_position !== null, is_archived, is_unread }
}

function isMoved(
  before: Session,
  { pin_position, is_archived, tags }: Pick<Session, 'pin_position' | 'is_archived' | 'tags'>,
): boolean {
  if (before.pin_position !== pin_position || before.is_archived !== is_archived) return true
  return before.tags.join() !== tags.join()
}

/** An archived chat leaves the history; a search still finds it. */
function leaveHistory(id: string): void {
  queryClient.setQueryData<SessionPages>(
    [...listKey, ''],
    (data) => data && removeSessions(data, new Set([id])),
  )
}

/** Reads what may list other chats now: the head with the pins, filtered lists and the tags. */
function refreshSoon(): void {
  clearTimeout(refresh)
  refresh = setTimeout(() => {
    refreshHead()
    void queryClient.invalidateQueries({ queryKey: tagsKey })
    const isDue = (queryKey: readonly unknown[]) => isWhole || queryKey.length > 3
    void queryClient.invalidateQueries({ queryKey: listKey, predicate: ({ queryKey }) => isDue(queryKey) })
    isWhole = false
  }, TOGETHER_MS)
}

/** Restores chats that were deleted a moment ago. @throws ApiError */
export async function restoreChats(ids: readonly string[]): Promise<void> {
  for (const session_id of ids) await call(restoreSession, { body: { session_id } })
  isWhole = true
  refreshSoon()
}
