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
 * The mark of a session. A run that waits or is paused says so; an unset status is still
 * loading; a value nobody knows is shown as unknown.
 */
export function markOf(session: Known): SessionMark {
  if (session.status === undefined || session.status === null) return 'loading'
  if (session.status === 'GENERATING') return 'running'
  if (session.agent_status === 'paused') return session.pending_input ? 'waiting' : 'paused'
  if (session.status === 'COMPLETED') return 'completed'
  if (session.status === 'FAILED') return 'failed'
  if (session.status === 'NEW') return 'new'
  return session.status === 'active' ? 'idle' : 'unknown'
}

export type AgentMark = 'processing' | 'paused' | 'completed' | 'error' | 'unknown'

/** The mark of an agent's status; anything that is none of the four is unknown. */
export function agentMarkOf(status: unknown): AgentMark {
  const known: readonly unknown[] = ['processing', 'paused', 'completed', 'error']
  return known.includes(status) ? (status as AgentMark) : 'unknown'
}

/** The title to show, or null for a session without one, which is shown as untitled. */
export function shownTitle(session: Pick<Session, 'title'>): string | null {
  return session.title.trim() || null
}
