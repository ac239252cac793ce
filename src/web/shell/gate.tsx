import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { isApiError } from '../lib/api-error.ts'
import { readLastPath } from '../lib/last-path.ts'
import { meQuery } from '../lib/me.ts'
import { useSessionExpired } from '../lib/session-expired.ts'
import { leave } from '../lib/sign-out.ts'
import { useToken } from '../lib/token.ts'
import { LoadingPage } from './loading-page.tsx'
import { UnreachablePage } from './unreachable-page.tsx'

/** Lets signed-in people through. Anybody else goes to the login page, which remembers where they came from. */
export function SignedIn({ children }: { children: ReactNode }) {
  const token = useToken()
  const { href } = useLocation()
  const isExpired = useSessionExpired((state) => state.isExpired)
  const me = useQuery({ ...meQuery, enabled: token !== null && !isExpired })
  const isRefused = isApiError(me.error, 401)
  useEffect(() => {
    // Nothing is on screen yet that a popup could lie over.
    if (isRefused && !me.data) leave()
  }, [isRefused, me.data])
  if (token === null)
    return (
      <>
        <LoadingPage />
        <Navigate to="/login" state={{ from: href }} replace />
      </>
    )
  if (me.data) return children
  if (me.isError && !isRefused) return <UnreachablePage error={me.error} onRetry={() => void me.refetch()} />
  return <LoadingPage />
}

/** A path that leads nowhere: the last one that did, or the login page. */
export function UnknownPath() {
  const token = useToken()
  const { pathname } = useLocation()
  if (token === null) return <Navigate to="/login" replace />
  const last = readLastPath()
  return <Navigate to={last && last !== pathname ? last : '/'} replace />
}
