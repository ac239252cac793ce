import { type KeyboardEvent, useRef } from 'react'
import { actionOf } from '../../../platform/lib/me/shortcuts.ts'
import { findTyped, TYPE_AHEAD_MS } from './type-ahead.ts'

type Actions = {
  titles: readonly string[]
  /** Index of the focused row. */
  at: number
  isSelecting: boolean
  /** Moves the focus to a position; `isRange` also selects everything up to it. */
  move: (position: number, isRange: boolean) => void
  /** Moves the focused pin up (-1) or down (1). */
  movePin: (by: -1 | 1) => void
  rename: () => void
  remove: () => void
  selectAll: () => void
  leave: () => void
}

/** The keyboard of the history: its shortcuts, and letters that find a title. */
export function useHistoryKeys(actions: Actions) {
  const typed = useRef({ text: '', at: 0 })
  return (event: KeyboardEvent) => {
    // Buttons, fields and menus inside a row handle their own keys.
    if (!(event.target instanceof Element && event.target.closest('[data-row-focus]'))) return
    const handle = commandOf(event, actions) ?? typeAhead(event, actions, typed.current)
    if (!handle) return
    event.preventDefault()
    handle()
  }
}

function commandOf(event: KeyboardEvent, actions: Actions): (() => void) | null {
  const { isSelecting, at } = actions
  const last = actions.titles.length - 1
  const isRange = event.shiftKey && isSelecting
  const to = (position: number) => () => actions.move(Math.max(0, Math.min(last, position)), isRange)
  switch (actionOf(isRange ? withoutShift(event) : event, 'history')) {
    case 'next_chat':
      return to(at + 1)
    case 'previous_chat':
      return to(at - 1)
    case 'first_chat':
      return to(0)
    case 'last_chat':
      return to(last)
    case 'pin_up':
      return isSelecting ? null : () => actions.movePin(-1)
    case 'pin_down':
      return isSelecting ? null : () => actions.movePin(1)
    case 'rename':
      return isSelecting ? null : actions.rename
    case 'remove':
      return actions.remove
    case 'select_all':
      return isSelecting ? actions.selectAll : null
    case 'leave_selection':
      return isSelecting ? actions.leave : null
    default:
      return null
  }
}

/** With Shift an arrow also selects. */
function withoutShift({ key, code, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  return { key, code, ctrlKey, metaKey, altKey, shiftKey: false }
}

function typeAhead(
  event: KeyboardEvent,
  { titles, at, move }: Actions,
  typed: { text: string; at: number },
): (() => void) | null {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return null
  const isGoingOn = event.timeStamp - typed.at < TYPE_AHEAD_MS
  // A space does not start a word, because it toggles the checkbox.
  if (event.key === ' ' && !(isGoingOn && typed.text)) return null
  typed.text = (isGoingOn ? typed.text : '') + event.key
  typed.at = event.timeStamp
  const found = findTyped(titles, typed.text, at)
  return () => {
    if (found >= 0) move(found, false)
  }
}
