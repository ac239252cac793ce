import { type KeyboardEvent, useRef } from 'react'
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

/** The keyboard of the history: arrows, Home, End, letters, F2, Delete, and the multi-select keys. */
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
  const last = actions.titles.length - 1
  const isRange = event.shiftKey && actions.isSelecting
  const isCommand = event.ctrlKey || event.metaKey
  const to = (position: number) => () => actions.move(Math.max(0, Math.min(last, position)), isRange)
  if (event.altKey) return pinCommandOf(event, actions)
  if (isCommand) return event.key.toLowerCase() === 'a' && actions.isSelecting ? actions.selectAll : null
  if (event.key === 'ArrowDown') return to(actions.at + 1)
  if (event.key === 'ArrowUp') return to(actions.at - 1)
  if (event.key === 'Home') return to(0)
  if (event.key === 'End') return to(last)
  if (event.key === 'F2') return actions.isSelecting ? null : actions.rename
  if (event.key === 'Delete' || event.key === 'Backspace') return actions.remove
  return event.key === 'Escape' && actions.isSelecting ? actions.leave : null
}

function pinCommandOf(event: KeyboardEvent, { isSelecting, movePin }: Actions): (() => void) | null {
  if (isSelecting || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return null
  return () => movePin(event.key === 'ArrowUp' ? -1 : 1)
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
