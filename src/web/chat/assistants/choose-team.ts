import { setSessionTeam } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { setInSession } from '../../runs/sessions/sessions.ts'

/**
 * Sets to whom the orchestrator of a chat may delegate; an empty list means the built-in and own assistants.
 * @throws what the call throws
 */
export function chooseTeam(sessionId: string, assistant_ids: string[]): Promise<void> {
  const save = () => call(setSessionTeam, { params: { sessionId }, body: { assistant_ids } })
  return setInSession(sessionId, { session_assistants: assistant_ids }, save)
}
