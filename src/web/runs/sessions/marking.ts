import { MAX_PINS } from '#shared/chat/session-marks/session-marks.ts'
import type { Session } from '#shared/chat/sessions/sessions.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { type MarkChange, markChats, marksOf, movePins } from './marks.ts'
import { listKey } from './session-cache.ts'
import { pinnedFirst, type SessionPages } from './session-pages.ts'
import { offerUndo, type UndoKind } from './undo.ts'

type Values = Omit<MarkChange, 'session_id'>

/** Returns the actions that organize chats. Each can be undone. */
export function createMarking() {
  const order = pinOrder()
  const run = async (
    kind: UndoKind,
    sessions: readonly Session[],
    valuesOf: (session: Session) => Values,
  ) => {
    if (sessions.length === 0) return
    const before = sessions.map(marksOf)
    try {
      await markChats(sessions.map((session) => ({ session_id: session.id, ...valuesOf(session) })))
    } catch (error) {
      return fail(isApiError(error, 409) ? 'pins_full' : 'mark_failed')
    }
    const undo = async () => {
      await markChats(before)
      if (before.some(({ is_pinned }) => is_pinned)) await movePins(order)
    }
    offerUndo({ kind, count: sessions.length, undo })
  }
  const reorder = async (ids: readonly string[]) => {
    if (ids.join() === order.join()) return
    try {
      await movePins(ids)
      offerUndo({ kind: 'moved', count: 1, undo: () => movePins(order) })
    } catch {
      fail('mark_failed')
    }
  }
  return {
    /** The ids of the pinned chats. */
    order,
    archive: (sessions: readonly Session[]) => run('archived', sessions, () => ({ is_archived: true })),
    restore: (sessions: readonly Session[]) => run('restored', sessions, () => ({ is_archived: false })),
    read: (sessions: readonly Session[]) => run('read', sessions, () => ({ is_unread: false })),
    unread: (sessions: readonly Session[]) => run('unread', sessions, () => ({ is_unread: true })),
    pin: (sessions: readonly Session[]) => run('pinned', sessions, () => ({ is_pinned: true })),
    unpin: (sessions: readonly Session[]) => run('unpinned', sessions, () => ({ is_pinned: false })),
    /** Adds a tag to chats, or removes it. */
    tag: (sessions: readonly Session[], tag: string, isOn: boolean) =>
      run('tagged', sessions, ({ tags }) => ({ tags: withTag(tags, tag, isOn) })),
    /** Moves a pinned chat up (-1) or down (1). */
    shift: (id: string, by: -1 | 1) => reorder(shifted(order, id, order.indexOf(id) + by)),
    /** Moves a pinned chat to the place of another one. */
    moveTo: (id: string, targetId: string) => reorder(shifted(order, id, order.indexOf(targetId))),
  }
}

export type Marking = ReturnType<typeof createMarking>

function fail(reason: 'pins_full' | 'mark_failed'): void {
  void toast.error(translate(`common:history.${reason}`, { count: MAX_PINS }))
}

/** Returns the ids of all pinned chats in their order, also while the list is filtered. */
export function pinOrder(): string[] {
  const listed = pinnedFirst(queryClient.getQueryData<SessionPages>([...listKey, '']))
  return listed.flatMap(({ id, pin_position }) => (pin_position === null ? [] : id))
}

/** Returns the order with one id at another place; the same order for a place outside of it. */
function shifted(order: readonly string[], id: string, place: number): readonly string[] {
  if (!order.includes(id) || place < 0 || place >= order.length) return order
  const others = order.filter((other) => other !== id)
  return [...others.slice(0, place), id, ...others.slice(place)]
}

function withTag(tags: readonly string[], tag: string, isOn: boolean): string[] {
  const others = tags.filter((other) => other !== tag)
  return isOn ? [...others, tag] : others
}
