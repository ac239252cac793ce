import { useEffect } from 'react'

type Moves = { onMove: (by: number) => void; onAnswer: (answer: 'yes' | 'no') => void }

/** J and K move, A approves, D declines; while something is written they are letters. */
export function useInboxKeys({ onMove, onAnswer }: Moves): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
      if (target?.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]'))
        return
      const key = event.key.toLowerCase()
      if (key === 'j') onMove(1)
      else if (key === 'k') onMove(-1)
      else if (key === 'a') onAnswer('yes')
      else if (key === 'd') onAnswer('no')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onMove, onAnswer])
}
