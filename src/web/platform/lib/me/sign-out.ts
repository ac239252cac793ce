import { deleteToken } from '#shared/identity/accounts/accounts.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { setCurrentSession } from '../current-session.ts'
import { forgetKept } from '../kept/kept.ts'
import { forgetReceived } from '../kept/kept-answers.ts'
import { settleSessionExpired } from './session-expired.ts'
import { clearToken, getToken } from './token.ts'

/** Signs out: revokes the token on the server, and deletes token, stream cookies, cached data and drafts; `lastPath` stays. Continues at the sign-on service when it ends its session too. */
export async function signOut(): Promise<void> {
  // The answer does not matter, since the token is deleted here even without a server.
  const revoked = getToken() ? call(deleteToken, { quiet: true }).catch(() => null) : null
  forgetKept()
  void forgetReceived()
  localStorage.removeItem('pushFor')
  leave()
  const answer = await revoked
  if (answer?.sign_out_url) location.assign(answer.sign_out_url)
}

/** Discards the data of the person whose token is gone. Their drafts stay until it is known who returns. */
export function leave(): void {
  clearToken()
  setCurrentSession(null)
  queryClient.clear()
  settleSessionExpired()
}
