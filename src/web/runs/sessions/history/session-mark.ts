import type { Session } from '#shared/chat/sessions/sessions.ts'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'

/** Status mark of a session. Each has its own icon and word. */
export type SessionMark =
  | 'loading'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'completed'
  | 'stopped'
  | 'failed'
  | 'new'
  | 'idle'
  | 'unknown'

type Known = { status?: unknown; agent_status?: unknown; pending_input?: unknown; is_stopped?: unknown }

/**
 * Returns the mark of a session. A waiting or paused run takes precedence, and a stopped one is not completed. An unset
 * status is loading, and without a run's own status the agent's decides; anything else is unknown.
 */
export function markOf({ status, agent_status, pending_input, is_stopped }: Known): SessionMark {
  if (status === undefined || status === null) return 'loading'
  if (agent_status === 'paused') return isForPerson(pending_input) ? 'waiting' : 'paused'
  if (status === 'COMPLETED' && is_stopped) return 'stopped'
  if (status === 'active') return markOfAgent(agent_status)
  return byStatus.get(status) ?? 'unknown'
}

/** A call that a named approver decides does not wait for its person. */
const isForPerson = (input: unknown) => Boolean(input && !(input as { approver?: unknown }).approver)

/** Returns the address of a row: its chat, or the message that was found in it. */
export function addressOf({ id, match_message_id: found }: Session): string {
  return found ? `/chat/${id}?message=${found}` : `/chat/${id}`
}

/** Returns the displayed title of a chat: its title, otherwise that it is new or untitled. */
export function titleOf({ id, title }: Pick<Session, 'id' | 'title'>, t: TFunction): string {
  if (title === defaultTitle(id)) return t('common:nav.new_chat')
  return title.trim() || t('common:history.untitled')
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
