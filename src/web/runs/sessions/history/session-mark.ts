import type { Session } from '#shared/chat/sessions/sessions.ts'
import { defaultTitle } from '#shared/chat/sessions/titles.ts'
import type { TFunction } from '../../../platform/i18n/i18n.ts'

/** What the status mark of a session shows. Each has its own icon and word. */
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
 * The mark of a session. A run that waits or is paused says so first, one that was stopped is not completed; an unset status is still
 * loading; without a run's own status the agent's decides; what nobody knows is unknown.
 */
export function markOf({ status, agent_status, pending_input, is_stopped }: Known): SessionMark {
  if (status === undefined || status === null) return 'loading'
  if (agent_status === 'paused') return pending_input ? 'waiting' : 'paused'
  if (status === 'COMPLETED' && is_stopped) return 'stopped'
  if (status === 'active') return markOfAgent(agent_status)
  return byStatus.get(status) ?? 'unknown'
}

/** Where a row of the history leads: to its chat, or to the message of it that was found. */
export function addressOf({ id, match_message_id: found }: Session): string {
  return found ? `/chat/${id}?message=${found}` : `/chat/${id}`
}

/** What a chat is called on screen: its title, else that nobody has written in it yet, or that it has none. */
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
