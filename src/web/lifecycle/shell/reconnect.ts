import type { SecondStep } from '#shared/identity/accounts/second-factor.ts'
import { signIn } from '../../identity/accounts/sign-in.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import { settleSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { setToken } from '../../platform/lib/me/token.ts'

/** Signs in again over the current view; returns the second step if one is required. @throws ApiError */
export async function reconnect(username: string, password: string): Promise<SecondStep | null> {
  const step = await signIn(username, password)
  if (!step) await goOn()
  return step
}

/** Like `reconnect`, with the token of a second step. */
export async function reconnectWith(token: string): Promise<void> {
  setToken(token)
  await goOn()
}

/** Refetches everything on screen. */
async function goOn(): Promise<void> {
  const before = queryClient.getQueryData(meQuery.queryKey)
  settleSessionExpired()
  const me = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  // Another user signed in, so nothing of the first one may stay on screen.
  if (before && before.id !== me.id) location.assign('/')
  else await queryClient.invalidateQueries()
}
