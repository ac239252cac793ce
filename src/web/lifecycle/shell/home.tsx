import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Navigate, Outlet } from '@tanstack/react-router'
import { Activity, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { queryClient, refetchOnFocus } from '../../platform/lib/api/query-client.ts'
import { keep, keepFor, readKept } from '../../platform/lib/kept/kept.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import { useSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { leave } from '../../platform/lib/me/sign-out.ts'
import { isSetupDue } from '../../platform/lib/setup-due.ts'
import { readFirstSessions } from '../../runs/sessions/sessions.ts'
import { useOpensHome } from '../home/home-start.ts'
import { LoadingPage } from './loading-page.tsx'
import { Shell } from './shell.tsx'
import { UnreachablePage } from './unreachable-page.tsx'
import { useShownPath } from './use-navigation-effects.ts'

const OutsidePage = lazy(() => import('../../identity/networks/networks.tsx'))
const DuePage = lazy(() => import('../user/new-password-page.tsx'))

refetchOnFocus()

/** Requests the person and their chats. The page reports errors. */
export async function meetPerson(): Promise<void> {
  await Promise.all([queryClient.prefetchQuery(meQuery), readFirstSessions()])
}

/** Everything behind the login, with the query cache. */
export default function Home() {
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn />
    </QueryClientProvider>
  )
}

/** Waits for the identity of the person. An invalid token is deleted, which unmounts the shell. */
export function SignedIn() {
  const path = useShownPath()
  const isExpired = useSessionExpired((state) => state.isExpired)
  const me = useQuery({ ...meQuery, enabled: !isExpired })
  const opensHome = useOpensHome(me.data, path)
  const isRefused = isApiError(me.error, 401)
  const isKnown = me.data !== undefined
  const isDue = Boolean(me.data?.password_due || me.data?.terms_due)
  const [wasShown, setShown] = useState(false)
  // Typed text is still there after new terms are accepted.
  if (isKnown && !isDue && !wasShown) setShown(true)
  useEffect(() => {
    // There is no view yet for the popup to overlay.
    if (isRefused && !isKnown) leave()
  }, [isRefused, isKnown])
  if (isApiError(me.error) && me.error.code === 'outside_networks')
    return loading(<OutsidePage error={me.error} onInside={() => void me.refetch()} />)
  if (me.data) {
    keepFor(me.data.id)
    if (isDue && (!wasShown || path === '/setup')) return loading(<DuePage me={me.data} />)
    if (path === '/setup') return <Bare />
    // Once, and only for the start page; other links are followed.
    if (isSetupDue(me.data) && isStart(path) && readKept(SETUP_SHOWN) === null)
      return <Navigate to="/setup" replace />
    if (opensHome) return <Navigate to="/home" replace />
    return (
      <>
        <Activity mode={isDue ? 'hidden' : 'visible'}>
          <Shell />
        </Activity>
        {isDue && loading(<DuePage me={me.data} />)}
      </>
    )
  }
  if (me.isError && !isRefused) return <UnreachablePage error={me.error} onRetry={() => void me.refetch()} />
  return <LoadingPage />
}

/** Says that this browser has shown the setup to the person. */
const SETUP_SHOWN = 'setup-shown'

/** A view without navigation: the setup. */
function Bare() {
  useEffect(() => () => keep(SETUP_SHOWN, 'yes'), [])
  return loading(<Outlet />)
}

/** Shows the loading page until the code of a page is there. */
const loading = (page: ReactNode) => <Suspense fallback={<LoadingPage />}>{page}</Suspense>

const isStart = (path: string) => path === '/' || path === '/chat'
