import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isApiError } from '../lib/api-error.ts'
import { keepFor } from '../lib/kept/kept.ts'
import { meQuery } from '../lib/me.ts'
import { queryClient, refetchOnFocus } from '../lib/query-client.ts'
import { useSessionExpired } from '../lib/session-expired.ts'
import { leave } from '../lib/sign-out.ts'
import { readFirstSessions } from '../sessions/sessions.ts'
import { LoadingPage } from './loading-page.tsx'
import { Shell } from './shell.tsx'
import { UnreachablePage } from './unreachable-page.tsx'

refetchOnFocus()

/** Asks who is there, and for the chats they have had. What goes wrong is said by the page. */
export async function meetPerson(): Promise<void> {
  await Promise.all([queryClient.prefetchQuery(meQuery), readFirstSessions()])
}

/** Everything behind the login, with the cache of what the server said. */
export default function Home() {
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn />
    </QueryClientProvider>
  )
}

/** Waits until it is known who is there. A token that does not hold is forgotten, and with it goes the shell. */
export function SignedIn() {
  const isExpired = useSessionExpired((state) => state.isExpired)
  const me = useQuery({ ...meQuery, enabled: !isExpired })
  const isRefused = isApiError(me.error, 401)
  const isKnown = me.data !== undefined
  useEffect(() => {
    // Nothing is on screen yet that a popup could lie over.
    if (isRefused && !isKnown) leave()
  }, [isRefused, isKnown])
  if (me.data) {
    keepFor(me.data.id)
    return <Shell />
  }
  if (me.isError && !isRefused) return <UnreachablePage error={me.error} onRetry={() => void me.refetch()} />
  return <LoadingPage />
}
