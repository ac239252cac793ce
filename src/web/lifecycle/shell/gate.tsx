import { lazyRouteComponent, type NavigateOptions, useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { translate } from '../../platform/i18n/i18n.ts'
import { readLastPath } from '../../platform/lib/last-path.ts'
import { getToken, useToken } from '../../platform/lib/me/token.ts'
import { toast } from '../../platform/ui/toasts/toasts.ts'
import { LoadingPage } from './loading-page.tsx'

/** The signed-in application, loaded concurrently with the identity of the person. */
export const Home = lazyRouteComponent(async () => {
  const file = await import('./home.tsx')
  await file.meetPerson()
  return file
})

/** Admits users with a token. Redirects others to the login page, which remembers the requested page. */
export function Gate() {
  const token = useToken()
  if (token === null) return <ToLogin />
  return (
    <Suspense fallback={<LoadingPage />}>
      <Home />
    </Suspense>
  )
}

/** Redirects from an unknown or forbidden path to the last valid one, which says why, or to the login page. */
export function UnknownPath({ reason = 'unknown' }: { reason?: 'unknown' | 'forbidden' }) {
  useLeaving((here) => {
    if (getToken() === null) return { to: '/login' }
    void toast.info(translate(`common:elsewhere.${reason}`))
    const last = readLastPath()
    return { to: last && last !== here.pathname ? last : '/' }
  })
  return null
}

/** Redirects to the login page with the requested address. */
function ToLogin() {
  useLeaving(({ href }) => ({ to: '/login', state: { from: href } }))
  return <LoadingPage />
}

/**
 * Navigates away from the current place once. While the next one loads, effects may run again and the router already names
 * the next location, so it navigates again only from another place that was really reached.
 */
function useLeaving(target: (here: { href: string; pathname: string }) => NavigateOptions) {
  const router = useRouter()
  const arrived = useRouterState({ select: (state) => state.resolvedLocation })
  const left = useRef<{ href: string; seen: typeof arrived } | null>(null)
  const decide = useEffectEvent(target)
  useEffect(() => {
    const isNew =
      arrived !== undefined && arrived !== left.current?.seen && arrived.href !== left.current?.href
    if (left.current && !isNew) return
    const here = left.current && arrived ? arrived : router.latestLocation
    left.current = { href: here.href, seen: arrived }
    void router.navigate({ ...decide(here), replace: true })
  }, [router, arrived])
}
