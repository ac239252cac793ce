import { useQuery } from '@tanstack/react-query'
import { createToken, exchangeSignOnCode, getSignInOptions } from '#shared/accounts/accounts.ts'
import { API_BASE } from '#shared/http.ts'
import { call } from '../lib/call.ts'
import { meQuery } from '../lib/me.ts'
import { queryClient } from '../lib/query-client.ts'
import { settleSessionExpired } from '../lib/session-expired.ts'
import { setToken } from '../lib/token.ts'

/** Signs in by name and password and keeps the token. @throws ApiError */
export async function signIn(username: string, password: string): Promise<void> {
  const { access_token } = await call(createToken, { body: { username, password } })
  setToken(access_token)
}

/** Signs in with the code of a sign-on return. A code works once, so the same one is never sent twice. @throws ApiError */
export async function signInWithCode(code: string): Promise<void> {
  const { access_token } = await queryClient.fetchQuery({
    queryKey: ['sign-on-code', code],
    queryFn: () => call(exchangeSignOnCode, { body: { code } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  })
  setToken(access_token)
}

/** Signs in again over the current view; everything on screen is read anew. @throws ApiError */
export async function reconnect(username: string, password: string): Promise<void> {
  const before = queryClient.getQueryData(meQuery.queryKey)
  await signIn(username, password)
  settleSessionExpired()
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  // Somebody else signed in: nothing of the first person may stay on screen.
  if (before && before.id !== me.id) location.assign('/')
  else await queryClient.invalidateQueries()
}

/** How people may sign in here; undefined until known. */
export function useSignInOptions() {
  return useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call(getSignInOptions, { signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  }).data
}

/** The address that starts a sign-on and leads back to the login page. */
export function signOnUrl(provider: string): string {
  const redirectUri = encodeURIComponent(`${location.origin}/login`)
  return `${API_BASE}/login/${provider}?redirect_uri=${redirectUri}`
}
