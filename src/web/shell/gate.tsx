import { Navigate, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { readLastPath } from '../lib/last-path.ts'
import { useToken } from '../lib/token.ts'
import { LoadingPage } from './loading-page.tsx'

const Home = lazy(() => import('./home.tsx'))

/** Lets people with a token through. Anybody else goes to the login page, which remembers where they came from. */
export function Gate() {
  const token = useToken()
  const { href } = useLocation()
  if (token === null)
    return (
      <>
        <LoadingPage />
        <Navigate to="/login" state={{ from: href }} replace />
      </>
    )
  return (
    <Suspense fallback={<LoadingPage />}>
      <Home />
    </Suspense>
  )
}

/** A path that leads nowhere: the last one that did, or the login page. */
export function UnknownPath() {
  const token = useToken()
  const { pathname } = useLocation()
  if (token === null) return <Navigate to="/login" replace />
  const last = readLastPath()
  return <Navigate to={last && last !== pathname ? last : '/'} replace />
}
