import { setSessionTeam } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { setInSession } from '../../runs/sessions/sessions.ts'

/**
 * Says whom the orchestrator of a chat may give work; nobody: the built-in assistants and own ones.
 * @throws what the call throws
 */
export function chooseTeam(sessionId: string, assistant_ids: string[]): Promise<void> {
  const save = () => call(setSessionTeam, { params: { sessionId }, body: { assistant_ids } })
  return setInSession(sessionId, { session_assistants: assistant_ids }, save)
}
