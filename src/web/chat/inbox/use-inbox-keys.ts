import { useEffect } from 'react'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { actionOf } from '../../platform/lib/me/shortcuts.ts'

type Moves = {
  onMove: (by: number) => void
  onAnswer: (answer: 'yes' | 'no') => void
  onOpen: () => void
  /** Moves the focus from a field back to its row. */
  onLeave: (row: HTMLElement) => void
}

/** The shortcuts of the inbox. In text fields only the one that leaves a form acts. */
export function useInboxKeys({ onMove, onAnswer, onOpen, onLeave }: Moves): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (event.defaultPrevented || isComposing(event)) return
      if (target?.closest('[role="dialog"], [role="menu"]')) return
      const row = target?.closest<HTMLElement>('[data-row]')
      const action = actionOf(event, 'inbox')
      if (action === 'leave_request' && row) return onLeave(row)
      if (target?.closest('input, textarea, select, [contenteditable]')) return
      // Enter on a button of a row presses it.
      if (!action || (action === 'open_request' && target !== row && target !== document.body)) return
      // Prevented, because the field that receives the focus must not receive the key too.
      event.preventDefault()
      if (action === 'next_request') onMove(1)
      else if (action === 'previous_request') onMove(-1)
      else if (action === 'approve') onAnswer('yes')
      else if (action === 'decline') onAnswer('no')
      else if (action === 'open_request') onOpen()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onMove, onAnswer, onOpen, onLeave])
}
