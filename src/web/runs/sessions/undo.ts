import { create } from 'zustand'
import { UNDO_MS } from '#shared/chat/sessions/sessions.ts'

/** Actions on chats. Each kind has a sentence. */
export type UndoKind =
  | 'deleted'
  | 'archived'
  | 'restored'
  | 'tagged'
  | 'read'
  | 'unread'
  | 'pinned'
  | 'unpinned'
  | 'moved'
  | 'placed'

type Undo = { kind: UndoKind; count: number; undo: () => Promise<void> }
type Offered = Undo & { id: number }

/** Maximum number of actions shown; older ones are removed. */
const MAX_OFFERED = 3

let last = 0

/** The latest actions that can still be undone, newest first. */
export const useUndo = create<{ offered: readonly Offered[] }>(() => ({ offered: [] }))

/** Offers to undo an action for 10 seconds. */
export function offerUndo(action: Undo): void {
  last += 1
  const id = last
  useUndo.setState(({ offered }) => ({ offered: [{ ...action, id }, ...offered].slice(0, MAX_OFFERED) }))
  setTimeout(() => forgetUndo(id), UNDO_MS)
}

/** Withdraws an offer. */
export function forgetUndo(id: number): void {
  useUndo.setState(({ offered }) => ({ offered: offered.filter((one) => one.id !== id) }))
}
