import { useQuery } from '@tanstack/react-query'
import { listSessions, type Session } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useToken } from '../../../platform/lib/me/token.ts'
import { readSessionPage } from '../../../runs/sessions/sessions.ts'

/** Query key of the session list. */
export const sessionsKey = ['debug', 'sessions']
const LISTED = 50

/** Fetches the newest sessions and their total; with a token, those of its owner. Also logs errors to the console. */
export async function fetchSessions(token?: string, signal?: AbortSignal) {
  try {
    const headers = token ? { headers: { authorization: `Bearer ${token}` } } : {}
    const answer = await call(listSessions, { ...headers, ...(signal ? { signal } : {}), quiet: true })
    return readSessionPage(answer, { skip: 0, limit: LISTED })
  } catch (error) {
    if (!signal?.aborted) console.error('Error fetching sessions', error)
    throw error
  }
}

/** Returns the sessions to select from. */
export function useSessions() {
  const token = useToken()
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => fetchSessions(undefined, signal),
    enabled: token !== null,
    staleTime: 10_000,
  })
}

/** Returns the title of a session, or the start of its id. */
export function nameOf(
  session: Session,
  t: (key: string, values: Record<string, unknown>) => string,
): string {
  return session.title.trim() || t('admin:debug.session_of', { id: session.id.slice(0, 8) })
}
