import { createSession } from '#shared/chat/sessions/sessions.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { isConnected } from '../../platform/lib/api/reachability.ts'
import { addSession } from './session-cache.ts'

/** Preloads the code that creates chats offline. */
export const loadAhead = () => import('./ahead.ts')

/** Returns the id of an empty chat: from the server, or, without a connection, one that is stored later. */
export async function startChat(): Promise<string> {
  try {
    if (isConnected()) return addSession(await call(createSession, { body: { reuse_empty: true } }))
  } catch (error) {
    if (!isApiError(error, 0)) throw error
  }
  return (await loadAhead()).beginEmptyChat()
}
