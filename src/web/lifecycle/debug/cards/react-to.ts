import { AgentStatus, type Session } from '#shared/chat/sessions/sessions.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import type { Entry } from '../events/event-entry.ts'
import { checkpointsKey } from './checkpoint-list.ts'
import { sessionsKey } from './session-list.ts'

const changesSession = new Set([
  'agent_processing_started',
  'agent_processing_complete',
  'agent_processing_error',
  'agent_task_paused',
  'agent_task_resumed',
])
const changesCheckpoints = new Set(['agent_processing_complete', 'agent_task_paused', 'checkpoint_created'])

/** Refetches the data that an event changes. */
export function reactTo({ type, fields }: Entry, sessionId: string): void {
  if (changesSession.has(type)) void refreshSession(sessionId)
  if (type === 'agent_processing_complete') void queryClient.invalidateQueries({ queryKey: sessionsKey })
  if (changesCheckpoints.has(type)) void refreshCheckpoints(sessionId)
  if (type !== 'agent_status') return
  const { data: agent_status } = AgentStatus.safeParse(fields.agent_status)
  if (!agent_status) return
  queryClient.setQueryData<Session>(
    ['session', sessionId],
    (session) => session && { ...session, agent_status },
  )
}

/** Refetches the details of a session. */
export function refreshSession(sessionId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['session', sessionId] })
}

/** Refetches the checkpoints of a session. */
export function refreshCheckpoints(sessionId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: checkpointsKey(sessionId) })
}
