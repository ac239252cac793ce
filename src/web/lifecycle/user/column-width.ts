import { useEffect } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useMe } from '../../platform/lib/me/me.ts'

export type ColumnWidth = 'normal' | 'wide'

/** Returns the user's preferred text width of a chat. */
export function columnWidthOf(user: Pick<User, 'preferences'>): ColumnWidth {
  return user.preferences.column_width === 'wide' ? 'wide' : 'normal'
}

/** Applies the preferred text width to the page. Used by the shell, which is always mounted. */
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
