import { useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { wantsHome } from '#shared/lifecycle/home/home-page.ts'
import { isOpenTo } from '../../platform/lib/me/me.ts'
import { hasWrittenChats } from '../../runs/sessions/sessions.ts'

/**
 * Returns whether the product now opens with the home page: it was opened at `/`, and the person wants the page and has written
 * a message before. Later visits of `/` show the chat.
 */
export function useOpensHome(me: User | undefined, path: string): boolean {
  const [isOpening, setOpening] = useState(true)
  const opens =
    isOpening &&
    path === '/' &&
    me !== undefined &&
    wantsHome(me) &&
    isOpenTo(me, 'home') &&
    hasWrittenChats()
  if (isOpening && me !== undefined && !opens) setOpening(false)
  return opens
}
