import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { RunState } from '#shared/runs/runs/runs.ts'
import type { PausedFor } from '../../platform/db/money-tables.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RunInput } from './context/run-context.ts'
import { toMessage } from './reply.ts'

type Trx = Kysely<Tables>

export const activeStates = ['queued', 'running', 'waiting', 'paused'] as const

export type RunRow = {
  id: string
  /** The person for whom it works and who pays. */
  user_id: string
  kind: 'chat' | 'tool'
  session_id: string
  user_message_id: string
  message_id: string
  agent_type: string
  agent_version: number
  state: RunState
  owner: string | null
  epoch: number
  attempt: number
  /** The last attempt in which its process was responsive; see losses.ts. */
  turned: number
  fruitless: number
  silent: number
  stop_requested: boolean
  pause_requested: boolean
  /** Why it is paused, or was paused before it was queued again. */
  paused_for: PausedFor | null
}

export const runColumns = [
  ...([
    'id',
    'user_id',
    'kind',
    'agent_type',
    'agent_version',
    'state',
    'owner',
    'epoch',
    'attempt',
  ] as const),
  ...(['turned', 'fruitless', 'silent'] as const),
  ...(['session_id', 'user_message_id', 'message_id', 'stop_requested', 'pause_requested'] as const),
  'paused_for',
] as const

/** Casts a chat run's row: chat runs always have a session and messages. */
export const asRun = (row: unknown) => row as RunRow

/** Returns the active run of a session, or null. */
export async function findActiveRun(db: Trx, sessionId: string): Promise<RunRow | null> {
  const row = await db
    .selectFrom('runs')
    .select(runColumns)
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'chat')
    .where('parent_run_id', 'is', null)
    .where('state', 'in', activeStates)
    .executeTakeFirst()
  return row ? asRun(row) : null
}

/** Returns the newest run that wrote this message, or null. */
export async function findRunOfMessage(db: Trx, messageId: string): Promise<RunRow | null> {
  const row = await db
    .selectFrom('runs')
    .select(runColumns)
    .where('message_id', '=', messageId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? asRun(row) : null
}

export async function findRun(db: Trx, runId: string): Promise<RunRow | null> {
  const row = await db.selectFrom('runs').select(runColumns).where('id', '=', runId).executeTakeFirst()
  return row ? asRun(row) : null
}

/** Returns the part of a run's input that its row contains: enough to end it. */
export async function bareInput(db: Trx, run: RunRow): Promise<RunInput> {
  const row = await db.selectFrom('runs').selectAll().where('id', '=', run.id).executeTakeFirstOrThrow()
  const { user_id, model_name, user_message_id, message_id, created_at } = row
  const isTool = row.kind === 'tool'
  return {
    ...{ user_id, user_message_id: user_message_id ?? '', message_id: message_id ?? '' },
    ...{ session_id: isTool ? run.id : (row.session_id ?? ''), model_name: model_name ?? '' },
    ...{ agent_type: row.agent_type as RunInput['agent_type'], started_at: created_at.toISOString() },
    ...{ context_tokens: 0, language: 'en', instructions: null, tool_choice: null, tools: [] },
    limits: { model_calls: 0, steps: 0, seconds: 60 },
    ...(isTool && { standalone: { session_id: row.session_id, input: '' } }),
  }
}

/** Returns the position of a run's next record, above its own and its inherited ones. */
export async function findNextPosition(db: Trx, runId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select greatest(runs.forked_from_position, max(position)) + 1 as next
    from runs join run_records on run_id = id where id = ${runId}
    group by id`.execute(db)
  return rows[0]?.next ?? 1
}

/**
 * Locks a session before any other lock when its runs change. Inserts that only reference the session, such as
 * documents, are not blocked, because they may hold locks this change needs next. @throws AppError `not_found`
 */
export async function lockSession(trx: Trx, sessionId: string) {
  const session = await trx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!session) throw new AppError('not_found', 'Session not found')
  return session
}

/** Returns a message, or null. */
export async function loadMessage(db: Kysely<Tables>, id: string): Promise<Message | null> {
  const row = await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toMessage(row) : null
}
