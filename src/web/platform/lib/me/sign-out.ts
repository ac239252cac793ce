import { deleteToken } from '#shared/identity/accounts/accounts.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { setCurrentSession } from '../current-session.ts'
import { forgetKept } from '../kept/kept.ts'
import { settleSessionExpired } from './session-expired.ts'
import { clearToken, getToken } from './token.ts'

/** Signs out: revokes the token on the server, forgets token, stream cookies, cached data and drafts; `lastPath` stays. */
export async function signOut(): Promise<void> {
  // The answer does not matter: without a server the token is forgotten here all the same.
  const revoked = getToken() ? call(deleteToken, { quiet: true }).catch(() => null) : null
  forgetKept()
  leave()
  await revoked
}

/** Forgets the person whose token is gone. What they wrote waits until it is known who comes back. */
export function leave(): void {
  clearToken()
  setCurrentSession(null)
  queryClient.clear()
  settleSessionExpired()
}
