import { MAX_PINS, MAX_TAGS } from '#shared/chat/session-marks/session-marks.ts'
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
const LIMITS = { pins_full: MAX_PINS, tags_full: MAX_TAGS, mark_failed: 0 }

/** Returns the actions that organize chats. Each can be undone. */
export function createMarking() {
  const order = pinOrder()
  const run = async (kind: UndoKind, sessions: readonly Session[], values: Values) => {
    if (sessions.length === 0) return
    const before = sessions.map(marksOf)
    try {
      await markChats(sessions.map(({ id }) => ({ session_id: id, ...values })))
    } catch (error) {
      return fail(isApiError(error, 409) ? 'pins_full' : 'mark_failed')
    }
    const undo = async () => {
      await markChats(before)
      if (before.some(({ is_pinned }) => is_pinned)) await movePins(order)
    }
    offerUndo({ kind, count: sessions.length, undo })
  }
  const tag = async (sessions: readonly Session[], name: string, isOn: boolean) => {
    const changed = sessions.filter(({ tags }) => tags.includes(name) !== isOn)
    const change = (those: readonly Session[], isAdded: boolean) =>
      markChats(those.map(({ id }) => ({ session_id: id, [isAdded ? 'add_tags' : 'remove_tags']: [name] })))
    try {
      await change(sessions, isOn)
    } catch (error) {
      return fail(isApiError(error, 409) ? 'tags_full' : 'mark_failed')
    }
    if (changed.length > 0)
      offerUndo({ kind: 'tagged', count: changed.length, undo: () => change(changed, !isOn) })
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
    archive: (sessions: readonly Session[]) => run('archived', sessions, { is_archived: true }),
    restore: (sessions: readonly Session[]) => run('restored', sessions, { is_archived: false }),
    read: (sessions: readonly Session[]) => run('read', sessions, { is_unread: false }),
    unread: (sessions: readonly Session[]) => run('unread', sessions, { is_unread: true }),
    pin: (sessions: readonly Session[]) => run('pinned', sessions, { is_pinned: true }),
    unpin: (sessions: readonly Session[]) => run('unpinned', sessions, { is_pinned: false }),
    /** Adds a tag to chats, or removes it. */
    tag,
    /** Moves a pinned chat up (-1) or down (1). */
    shift: (id: string, by: -1 | 1) => reorder(shifted(order, id, order.indexOf(id) + by)),
    /** Moves a pinned chat to the place of another one. */
    moveTo: (id: string, targetId: string) => reorder(shifted(order, id, order.indexOf(targetId))),
  }
}

export type Marking = ReturnType<typeof createMarking>

function fail(reason: keyof typeof LIMITS): void {
  void toast.error(translate(`common:history.${reason}`, { count: LIMITS[reason] }))
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
