import { deleteToken } from '#shared/accounts/accounts.ts'
import { call } from './call.ts'
import { setCurrentSession } from './current-session.ts'
import { queryClient } from './query-client.ts'
import { settleSessionExpired } from './session-expired.ts'
import { clearToken, getToken } from './token.ts'

/** What was written and not sent stands in the storage of the tab under keys that begin so. */
export const DRAFT_KEY = 'draft:'

/** Signs out: revokes the token on the server, forgets token, stream cookies and cached data; `lastPath` stays. */
export async function signOut(): Promise<void> {
  // The answer does not matter: without a server the token is forgotten here all the same.
  const revoked = getToken() ? call(deleteToken, { quiet: true }).catch(() => null) : null
  leave()
  await revoked
}

/** Forgets the person whose token is gone. */
export function leave(): void {
  clearToken()
  setCurrentSession(null)
  queryClient.clear()
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFT_KEY)) sessionStorage.removeItem(key)
  settleSessionExpired()
}
