import type { ListedAssistant } from '#shared/assistants/assistants.ts'
import { type Session, setSessionAssistant } from '#shared/sessions/sessions.ts'
import { call } from '../lib/call.ts'
import { queryClient } from '../lib/query-client.ts'
import { keyOfOne } from './use-assistants.ts'

/**
 * Lets an assistant write the next replies of a session, in its way of working; null: none. Shown at once, and
 * as it was before when the server does not take it. @throws what the call throws
 */
export async function chooseAssistant(sessionId: string, assistant: ListedAssistant | null): Promise<void> {
  const key = ['session', sessionId]
  const before = queryClient.getQueryData<Session>(key)
  const chosen = { assistant_id: assistant?.id ?? null, agent_type: assistant?.agent_type ?? 'multi_turn' }
  const show = (session: Session | undefined) =>
    session && { ...session, session_metadata: { ...session.session_metadata, ...chosen } }
  if (assistant) queryClient.setQueryData(keyOfOne(assistant.id), assistant)
  queryClient.setQueryData<Session>(key, show)
  try {
    await call(setSessionAssistant, { params: { sessionId }, body: { assistant_id: chosen.assistant_id } })
  } catch (error) {
    queryClient.setQueryData(key, before)
    throw error
  }
}
