import type { ListedAssistant } from '#shared/chat/assistants/assistants.ts'
import { setSessionAssistant } from '#shared/chat/sessions/sessions.ts'
import { call } from '../../platform/lib/api/call.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { setInSession } from '../../runs/sessions/sessions.ts'
import { keyOfOne } from './use-assistants.ts'

/**
 * Makes an assistant write the next replies of a session, with its agent type; null for none.
 * @throws what the call throws
 */
export async function chooseAssistant(sessionId: string, assistant: ListedAssistant | null): Promise<void> {
  const assistant_id = assistant?.id ?? null
  // A list has no examples, so the name shows immediately and the rest is loaded.
  if (assistant) {
    queryClient.setQueryData(keyOfOne(assistant.id), assistant)
    void queryClient.invalidateQueries({ queryKey: keyOfOne(assistant.id) })
  }
  const save = () => call(setSessionAssistant, { params: { sessionId }, body: { assistant_id } })
  await setInSession(sessionId, { assistant_id, agent_type: assistant?.agent_type ?? 'multi_turn' }, save)
  // The chat's sources include its files.
  await queryClient.invalidateQueries({ queryKey: ['documents', 'chat-library', sessionId] })
}
