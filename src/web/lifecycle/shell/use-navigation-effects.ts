import { useMatches } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { setCurrentSession } from '../../platform/lib/current-session.ts'
import { storeLastPath } from '../../platform/lib/last-path.ts'
import { setSheetOpen } from '../../platform/lib/layout.ts'
import { mayOpen, viewOf } from './view-names.ts'

/** Returns the path of the shown view; the location is already the next one while that loads. */
export function useShownPath(): string {
  return useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
}

/** Effects of every path change inside the shell. */
export function useNavigationEffects(me: User, pathname: string): void {
  const view = viewOf(pathname)
  const isAllowed = mayOpen(pathname, me)
  useCurrentSessionOf(pathname)
  useEffect(() => (isAllowed ? rememberPath(pathname) : undefined), [pathname, isAllowed])
  useViewFocus(view)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another path closes the sheet.
  useEffect(() => setSheetOpen(false), [pathname])
}

/** Makes the session in the address the current one; navigation to the documents ends that. */
function useCurrentSessionOf(pathname: string) {
  useEffect(() => {
    const id = sessionIn(pathname)
    if (id) setCurrentSession(id)
    if (viewOf(pathname) === 'documents') setCurrentSession(null)
  }, [pathname])
}

/** Remembers a path once it shows something; a conversation only if the server has it for this person. */
function rememberPath(pathname: string): (() => void) | undefined {
  const id = sessionIn(pathname)
  if (!id) {
    storeLastPath(pathname)
    return
  }
  const rememberIfThere = () => {
    if (queryClient.getQueryData(['session', id])) storeLastPath(pathname)
  }
  rememberIfThere()
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === 'session' && query.queryKey[1] === id) rememberIfThere()
  })
}

/** Focuses the heading of a new view, unless the view has already focused something. */
function useViewFocus(view: string) {
  const before = useRef(view)
  useEffect(() => {
    if (before.current === view) return
    before.current = view
    // A loading view has no heading yet.
    const timer = setInterval(() => {
      const heading = document.querySelector<HTMLElement>('[data-view-title]')
      if (!heading) return
      clearInterval(timer)
      // Neither the view nor a dialog that was opened meanwhile loses the focus.
      if (!document.activeElement?.closest('#main, [role="dialog"]')) heading.focus()
    }, 50)
    return () => clearInterval(timer)
  }, [view])
}

function sessionIn(pathname: string): string | null {
  return /^\/chat\/([^/]+)/.exec(pathname)?.[1] ?? null
}
