import { useEffect } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useMe } from '../../platform/lib/me/me.ts'

export type ColumnWidth = 'normal' | 'wide'

/** How wide the text of a conversation is for a user. */
export function columnWidthOf(user: Pick<User, 'preferences'>): ColumnWidth {
  return user.preferences.column_width === 'wide' ? 'wide' : 'normal'
}

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
