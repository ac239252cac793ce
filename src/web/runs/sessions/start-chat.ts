import { createSession } from '#shared/chat/sessions/sessions.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { call } from '../../platform/lib/api/call.ts'
import { isConnected } from '../../platform/lib/api/reachability.ts'
import { addSession } from './session-cache.ts'

/** Fetches what begins chats ahead of the server. */
export const loadAhead = () => import('./ahead.ts')

/** A chat in which nothing has happened: the server's, or, without a connection, one that is made later. Gives its id. */
export async function startChat(): Promise<string> {
  try {
    if (isConnected()) return addSession(await call(createSession, { body: { reuse_empty: true } }))
  } catch (error) {
    if (!isApiError(error, 0)) throw error
  }
  return (await loadAhead()).beginEmptyChat()
}
