import { useEffect } from 'react'
import { useMe } from '../lib/me.ts'
import { columnWidthOf } from './preferences-draft.ts'

/** Gives the page the text width the person prefers; for the shell, which is always there. */
export function useColumnWidth(): void {
  const user = useMe()
  const isWide = user !== null && columnWidthOf(user) === 'wide'
  useEffect(() => {
    if (isWide) document.documentElement.style.setProperty('--w-column', 'var(--w-breakout)')
    return () => {
      document.documentElement.style.removeProperty('--w-column')
    }
  }, [isWide])
}
