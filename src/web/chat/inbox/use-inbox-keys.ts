import { useEffect } from 'react'
import { isComposing } from '../../platform/lib/enter-key.ts'

type Moves = {
  onMove: (by: number) => void
  onAnswer: (answer: 'yes' | 'no') => void
  onOpen: () => void
  /** Moves the focus from a field back to its row. */
  onLeave: (row: HTMLElement) => void
}

/** J and K move, Enter opens, A answers, D declines, Escape leaves a form; in text fields they are letters. */
export function useInboxKeys({ onMove, onAnswer, onOpen, onLeave }: Moves): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isComposing(event))
        return
      if (target?.closest('[role="dialog"], [role="menu"]')) return
      const row = target?.closest<HTMLElement>('[data-row]')
      if (event.key === 'Escape' && row) return onLeave(row)
      if (target?.closest('input, textarea, select, [contenteditable]')) return
      const key = event.key.toLowerCase()
      if (key === 'j') onMove(1)
      else if (key === 'k') onMove(-1)
      // Prevented, because the field that receives the focus must not receive the key too.
      else if (key === 'a' || key === 'd') {
        event.preventDefault()
        onAnswer(key === 'a' ? 'yes' : 'no')
      } else if (key === 'enter' && (target === row || target === document.body)) {
        event.preventDefault()
        onOpen()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onMove, onAnswer, onOpen, onLeave])
}
