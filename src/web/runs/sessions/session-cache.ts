import type { Session } from '#shared/chat/sessions/sessions.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { putSessionFirst, type SessionPages } from './session-pages.ts'

/** Query key of the history's pages, followed by the search query and, for a filtered list, by its filter. */
export const listKey = ['sessions', 'list'] as const
/** Query key of its first page, which is polled. */
export const headKey = ['sessions-head'] as const

/** Shows a new session at the top of the history immediately. Returns its id. */
export function addSession(session: Session): string {
  void queryClient.cancelQueries({ queryKey: headKey })
  queryClient.setQueryData(['session', session.id], session)
  queryClient.setQueryData<SessionPages>([...listKey, ''], (data) => data && putSessionFirst(data, session))
  return session.id
}
