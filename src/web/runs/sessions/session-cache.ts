import type { Session } from '#shared/chat/sessions/sessions.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { putSessionFirst, type SessionPages } from './session-pages.ts'

/** Where the pages of the history lie in the cache; behind it stands what is searched for. */
export const listKey = ['sessions', 'list'] as const
/** Where its first page is read again and again. */
export const headKey = ['sessions-head'] as const

/** Shows a new session at once, on top of the history. Gives its id. */
export function addSession(session: Session): string {
  void queryClient.cancelQueries({ queryKey: headKey })
  queryClient.setQueryData(['session', session.id], session)
  queryClient.setQueryData<SessionPages>([...listKey, ''], (data) => data && putSessionFirst(data, session))
  return session.id
}
