import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { readLastPath } from '../lib/last-path.ts'
import { getToken, useToken } from '../lib/token.ts'
import { LoadingPage } from './loading-page.tsx'

const Home = lazy(() => import('./home.tsx'))

/** Lets people with a token through. Anybody else goes to the login page, which remembers where they came from. */
export function Gate() {
  const token = useToken()
  if (token === null) return <ToLogin />
  return (
    <Suspense fallback={<LoadingPage />}>
      <Home />
    </Suspense>
  )
}

/** A path that leads nowhere: the last one that did, or the login page. */
export function UnknownPath() {
  const router = useRouter()
  useEffect(() => {
    const last = readLastPath()
    const known = last && last !== router.latestLocation.pathname ? last : '/'
    void router.navigate({ to: getToken() === null ? '/login' : known, replace: true })
  }, [router])
  return null
}

/** Leaves once, with the address that was asked for; while it happens the location already changes under us. */
function ToLogin() {
  const router = useRouter()
  useEffect(() => {
    const { href } = router.latestLocation
    void router.navigate({ to: '/login', state: { from: href }, replace: true })
  }, [router])
  return <LoadingPage />
}
