import { signIn } from '../accounts/sign-in.ts'
import { meQuery } from '../lib/me.ts'
import { queryClient } from '../lib/query-client.ts'
import { settleSessionExpired } from '../lib/session-expired.ts'

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
