import type { Session } from '#shared/sessions/sessions.ts'

/** What the status mark of a session shows. Each has its own icon and word. */
export type SessionMark =
  | 'loading'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'new'
  | 'idle'
  | 'unknown'

type Known = { status?: unknown; agent_status?: unknown; pending_input?: unknown }

/**
 * The mark of a session. A run that waits or is paused says so first; an unset status is still
 * loading; without a run's own status the agent's decides; what nobody knows is unknown.
 */
export function markOf({ status, agent_status, pending_input }: Known): SessionMark {
  if (status === undefined || status === null) return 'loading'
  if (agent_status === 'paused') return pending_input ? 'waiting' : 'paused'
  if (status === 'active') return markOfAgent(agent_status)
  return byStatus.get(status) ?? 'unknown'
}

/** Where a row of the history leads: to its chat, or to the message of it that was found. */
export function addressOf({ id, match_message_id: found }: Session): string {
  return found ? `/chat/${id}?message=${found}` : `/chat/${id}`
}

/** The title to show, or null for a session without one, which is shown as untitled. */
export function shownTitle(session: Pick<Session, 'title'>): string | null {
  return session.title.trim() || null
}

function markOfAgent(status: unknown): SessionMark {
  if (status === undefined || status === null) return 'idle'
  return byAgent.get(status) ?? 'unknown'
}

const byStatus = new Map<unknown, SessionMark>([
  ['GENERATING', 'running'],
  ['COMPLETED', 'completed'],
  ['FAILED', 'failed'],
  ['NEW', 'new'],
])

const byAgent = new Map<unknown, SessionMark>([
  ['processing', 'running'],
  ['completed', 'completed'],
  ['error', 'failed'],
])
