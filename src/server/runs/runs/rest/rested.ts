import type { Kysely } from 'kysely'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { RunUsage } from '#shared/runs/runs/usage.ts'
import { type RunView, WrittenBy } from '#shared/runs/runs/view.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { findRunOfMessage, loadMessage, type RunRow } from '../store.ts'
import { findLast, findLatestReply } from './store.ts'

/** A run without an owner: it is over or waits for a person. */
export type Rested = {
  row: RunRow
  view: RunView
  userMessage: Message | null
  /** The event with which it came to rest. */
  last: RunEvent | null
}

const viewStatusOf: Record<RunRow['state'], RunView['status']> = {
  ...{ completed: 'completed', stopped: 'completed', failed: 'error', waiting: 'waiting', paused: 'paused' },
  ...{ queued: 'streaming', running: 'streaming' },
} as const

/** Returns the latest run of the active branch, or of the given reply; null when there is none. */
export async function loadRested(
  db: Kysely<Tables>,
  sessionId: string,
  messageId?: string,
): Promise<Rested | null> {
  const replyId = messageId ?? (await findLatestReply(db, sessionId))
  const row = replyId && (await findRunOfMessage(db, replyId))
  const message = replyId && (await loadMessage(db, replyId))
  if (!row || !message || row.session_id !== sessionId) return null
  const { id: run_id, session_id, message_id, user_message_id, agent_type } = row
  const view: RunView = {
    ...{ run_id, session_id, message_id, user_message_id, agent_type, model_name: message.model_name },
    ...{ status: viewStatusOf[row.state], stopped: row.state === 'stopped' },
    ...{ content: message.content, blocks: message.blocks, progress: null },
    ...writerOf(message),
    ...usageIn(message),
  }
  return { row, view, userMessage: await loadMessage(db, user_message_id), last: await findLast(db, row) }
}

function usageIn({ metadata }: Message): Pick<RunView, 'usage'> {
  const { data: usage } = RunUsage.safeParse(metadata.usage)
  return usage ? { usage } : {}
}

function writerOf({ metadata }: Message): Pick<RunView, 'assistant'> {
  const { data: assistant } = WrittenBy.safeParse(metadata.assistant)
  return assistant ? { assistant } : {}
}
