import { deleteSession } from '#shared/chat/sessions/sessions.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { call } from '../../platform/lib/api/call.ts'
import { forgetKeptOf } from '../../platform/lib/kept/kept.ts'
import { getToken } from '../../platform/lib/me/token.ts'
import { forgetSessions } from '../../runs/sessions/sessions.ts'

/** Closes a temporary chat. Without a connection, its lease ends by itself. */
export async function closeTemporary(sessionId: string): Promise<void> {
  forgetSessions(new Set([sessionId]))
  await call(deleteSession, { params: { sessionId }, query: {}, quiet: true }).catch(() => undefined)
}

/** Does the same while the page is being left; nothing waits for the answer. */
export function closeOnLeaving(sessionId: string): void {
  forgetKeptOf(sessionId)
  const headers = { authorization: `Bearer ${getToken()}` }
  void fetch(`${API_BASE}/sessions/${sessionId}`, { method: 'DELETE', headers, keepalive: true }).catch(
    () => undefined,
  )
}
