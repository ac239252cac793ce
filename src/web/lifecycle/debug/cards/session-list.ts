import { useQuery } from '@tanstack/react-query'
import { listSessions, type Session } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { useToken } from '../../../platform/lib/me/token.ts'
import { readSessionPage } from '../../../runs/sessions/sessions.ts'

/** Where the cache keeps the sessions to choose from. */
export const sessionsKey = ['debug', 'sessions']
const LISTED = 50

/** The newest sessions and how many there are; with a token those of its owner. What fails goes to the console too. */
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

/** The sessions to choose from. */
export function useSessions() {
  const token = useToken()
  return useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => fetchSessions(undefined, signal),
    enabled: token !== null,
    staleTime: 10_000,
  })
}

/** What a session is called here: its title, or the beginning of its id. */
export function nameOf(
  session: Session,
  t: (key: string, values: Record<string, unknown>) => string,
): string {
  return session.title.trim() || t('admin:debug.session_of', { id: session.id.slice(0, 8) })
}
