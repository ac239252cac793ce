import { type Session, setSessionTeam } from '#shared/sessions/sessions.ts'
import { call } from '../lib/call.ts'
import { queryClient } from '../lib/query-client.ts'

/**
 * Says whom the orchestrator of a chat may give work; nobody: the built-in assistants and own ones. Shown at once, and as
 * it was before when the server does not take it. @throws what the call throws
 */
export async function chooseTeam(sessionId: string, assistantIds: string[]): Promise<void> {
  const key = ['session', sessionId]
  const before = queryClient.getQueryData<Session>(key)
  const show = (session: Session | undefined) =>
    session && {
      ...session,
      session_metadata: { ...session.session_metadata, session_assistants: assistantIds },
    }
  queryClient.setQueryData<Session>(key, show)
  try {
    const kept = await call(setSessionTeam, { params: { sessionId }, body: { assistant_ids: assistantIds } })
    assistantIds = kept.session_assistants
    queryClient.setQueryData<Session>(key, show)
  } catch (error) {
    queryClient.setQueryData(key, before)
    throw error
  }
}
