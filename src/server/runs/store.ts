import type { Insertable } from 'kysely'
import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Message } from '#shared/messages/messages.ts'
import type { RunEvent } from '#shared/runs/events.ts'
import type { RunState } from '#shared/runs/runs.ts'
import type { RunView } from '#shared/runs/view.ts'
import { previewOfReply } from '#shared/sessions/preview.ts'
import { cleanCharacters, type Database, toJson } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import { bytesOfRun, grownBy } from '../storage/storage.ts'
import { countLoss } from './attempts-store.ts'
import type { RunInput } from './context/run-context.ts'
import type { Inherited } from './inherit.ts'
import { type Holder, LostRunError } from './journal-record.ts'
import type { Fork } from './journal-store.ts'
import { NO_LOSSES } from './losses.ts'
import { toMessage } from './reply.ts'

type Trx = Kysely<Tables>

export const activeStates = ['queued', 'running', 'waiting', 'paused'] as const

export type RunRow = {
  id: string
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
  /** How its attempts were lost; see losses.ts. */
  turned: number
  fruitless: number
  silent: number
  stop_requested: boolean
  pause_requested: boolean
  /** Why it stands still, or stood still until it was queued to go on. */
  paused_for: 'request' | 'balance' | null
}

const columns = [
  ...(['id', 'kind', 'agent_type', 'agent_version', 'state', 'owner', 'epoch', 'attempt'] as const),
  ...(['turned', 'fruitless', 'silent'] as const),
  ...(['session_id', 'user_message_id', 'message_id', 'stop_requested', 'pause_requested'] as const),
  'paused_for',
] as const

/** Chat runs always have a session and its messages. */
const asRun = (row: unknown) => row as RunRow

/** The run of a session that is not over, or null. */
export async function findActiveRun(db: Trx, sessionId: string): Promise<RunRow | null> {
  const row = await db
    .selectFrom('runs')
    .select(columns)
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'chat')
    .where('parent_run_id', 'is', null)
    .where('state', 'in', activeStates)
    .executeTakeFirst()
  return row ? asRun(row) : null
}

/** The newest run that wrote this message, or null. */
export async function findRunOfMessage(db: Trx, messageId: string): Promise<RunRow | null> {
  const row = await db
    .selectFrom('runs')
    .select(columns)
    .where('message_id', '=', messageId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? asRun(row) : null
}

export async function findRun(db: Trx, runId: string): Promise<RunRow | null> {
  const row = await db.selectFrom('runs').select(columns).where('id', '=', runId).executeTakeFirst()
  return row ? asRun(row) : null
}

/** What a run started from as far as its row tells; enough to end it. */
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

/** The position of a run's next record: above all it has, and above those it reads of another run. */
export async function findNextPosition(db: Trx, runId: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select greatest(runs.forked_from_position, max(position)) + 1 as next
    from runs join run_records on run_id = id where id = ${runId}
    group by id`.execute(db)
  return rows[0]?.next ?? 1
}

/** Locks a session for a change of its runs, before anything else is locked. @throws AppError `not_found` */
export async function lockSession(trx: Trx, sessionId: string) {
  const session = await trx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
  if (!session) throw new AppError('not_found', 'Session not found')
  return session
}

/** Raises the session's epoch and marks it as working. */
export async function beginEpoch(trx: Trx, sessionId: string, leaf?: string): Promise<number> {
  const { epoch } = await trx
    .updateTable('sessions')
    .set((row) => ({
      epoch: row('epoch', '+', 1),
      status: 'GENERATING',
      agent_status: 'processing',
      pending_input: null,
      updated_at: new Date(),
      ...(leaf ? { active_leaf: leaf } : {}),
    }))
    .where('id', '=', sessionId)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

/** How a new run stands: held from its beginning, or queued before its first attempt, in the same epoch. */
export function standing({ owner, epoch }: Holder, isHeld: boolean) {
  return isHeld
    ? { state: 'running' as const, owner, epoch, attempt: 1 }
    : { state: 'queued' as const, owner: null, epoch, attempt: 0 }
}

type Beginning = {
  /** Whether the process that begins it holds it. */
  isHeld: boolean
  version: number
  events: RunEvent[]
  /** Where it branches off: its record 0 is then only what is its own. */
  fork?: Fork
  metadata?: Record<string, unknown>
}

/** Inserts the reply that is to be written and its run with record 0. */
export async function insertRun(
  trx: Trx,
  holder: Holder,
  input: RunInput,
  { isHeld, version, events, fork, metadata = {} }: Beginning,
): Promise<void> {
  const { session_id, user_message_id, message_id, agent_type, model_name, assistant } = input
  await trx
    .insertInto('messages')
    .values({
      ...{ id: message_id, session_id, parent_id: user_message_id, role: 'assistant' },
      ...{ agent_type, model_name, status: 'streaming' },
      metadata: toJson({ ...metadata, ...(assistant && { assistant }) }),
    })
    .execute()
  await trx
    .insertInto('runs')
    .values({
      ...{ id: holder.runId, user_id: input.user_id, session_id, user_message_id, message_id },
      ...{ agent_type, agent_version: version, model_name },
      ...standing(holder, isHeld),
      ...{ forked_from_run: fork?.runId ?? null, forked_from_position: fork?.position ?? null },
    })
    .execute()
  const value = toJson({ value: fork ? { message_id } : input, events })
  await trx
    .insertInto('run_records')
    .values({ run_id: holder.runId, position: 0, key: 'input', kind: 'input', value, epoch: holder.epoch })
    .execute()
}

type Claim = {
  owner: string
  /** Whether its last holder is gone; false when it was let go by one that lives. */
  isLoss: boolean
  /** Writes what must be true together with the claim. */
  also: (trx: Trx, claimed: RunRow) => Promise<void>
}

/** Makes `owner` the holder of a run nobody holds; null when somebody else was faster. */
export async function claimRun(
  db: Database,
  run: RunRow,
  { owner, isLoss, also }: Claim,
): Promise<RunRow | null> {
  return db.transaction().execute(async (trx) => {
    if (run.kind === 'chat' && !(await lockFreeSession(trx, run.session_id))) return null
    const same = await trx
      .selectFrom('runs')
      .select('id')
      .where('id', '=', run.id)
      .where('epoch', '=', run.epoch)
      .where('state', '=', run.state)
      .where('owner', 'is not distinct from', run.owner)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!same) return null
    const epoch = await nextEpoch(trx, run)
    const losses = isLoss ? await countLoss(trx, run) : run.owner === null ? NO_LOSSES : {}
    const row = await trx
      .updateTable('runs')
      .set((row) => ({ owner, epoch, state: 'running', paused_for: null, attempt: row('attempt', '+', 1) }))
      .set(losses)
      .where('id', '=', run.id)
      .returning(columns)
      .executeTakeFirstOrThrow()
    await also(trx, asRun(row))
    return asRun(row)
  })
}

/** The first attempt is in the epoch the run began with: nobody has written in it. */
async function nextEpoch(trx: Trx, { attempt, kind, session_id, epoch }: RunRow): Promise<number> {
  if (attempt === 0) return epoch
  return kind === 'chat' ? beginEpoch(trx, session_id) : epoch + 1
}

/** Locks a session unless somebody else works on it right now. */
async function lockFreeSession(trx: Trx, sessionId: string): Promise<boolean> {
  const { rows } = await sql`select id from sessions where id = ${sessionId} for update skip locked`.execute(
    trx,
  )
  return rows.length > 0
}

export type Outcome = {
  state: 'completed' | 'failed' | 'stopped' | 'waiting' | 'paused'
  view: RunView
  error: { code: string; detail: string } | null
  pendingInput: Record<string, unknown> | null
  pausedFor?: 'request' | 'balance' | null
}

/** What the session shows for each way a run can come to rest. */
const sessionOf = {
  completed: { status: 'COMPLETED', agent_status: 'completed' },
  stopped: { status: 'COMPLETED', agent_status: 'completed' },
  failed: { status: 'FAILED', agent_status: 'error' },
  waiting: { status: 'active', agent_status: 'paused' },
  paused: { status: 'active', agent_status: 'paused' },
} as const

const messageStatusOf = {
  ...{ completed: 'completed', stopped: 'completed', failed: 'error' },
  ...{ waiting: 'streaming', paused: 'streaming' },
} as const

/** Brings a held run to rest: run, message and session change together. @throws LostRunError */
export async function settleRun(trx: Trx, holder: Holder, outcome: Outcome, now: Date): Promise<void> {
  const { state, view } = outcome
  const preview = cleanCharacters(previewOfReply(view))
  const isOver = state === 'completed' || state === 'failed' || state === 'stopped'
  const content = cleanCharacters(view.content)
  const blocks = toJson(view.blocks)
  const bytes = Buffer.byteLength(content) + Buffer.byteLength(blocks)
  await trx
    .updateTable('sessions')
    .set({
      ...sessionOf[state],
      updated_at: now,
      pending_input: outcome.pendingInput ? toJson(outcome.pendingInput) : null,
      ...(preview ? { preview } : {}),
      // A run is over once, and only then is it counted.
      ...(isOver ? { stored_bytes: grownBy(sql`${bytes} + ${bytesOfRun(holder.runId)}`) } : {}),
    })
    .where('id', '=', view.session_id)
    .execute()
  const held = await trx
    .updateTable('runs')
    .set({
      ...{ state, owner: null, pause_requested: false, paused_for: outcome.pausedFor ?? null },
      error: outcome.error ? toJson(outcome.error) : null,
      finished_at: isOver ? now : null,
      ...(isOver
        ? { stored_bytes: sql`case kind when 'tool' then ${bytesOfRun(holder.runId)} else 0 end` }
        : {}),
    })
    .where('id', '=', holder.runId)
    .where('owner', '=', holder.owner)
    .where('epoch', '=', holder.epoch)
    .returning('message_id')
    .executeTakeFirst()
  if (!held) throw new LostRunError(holder.runId)
  if (held.message_id === null) return
  await trx
    .updateTable('runs')
    .set({ state, owner: null, finished_at: isOver ? now : null })
    .where('parent_run_id', '=', holder.runId)
    .where('state', 'in', activeStates)
    .execute()
  await trx
    .updateTable('messages')
    .set({ content, blocks, status: messageStatusOf[state] })
    .where('id', '=', held.message_id)
    .execute()
}

/** Calls that were announced and never came to their end are over with their run, or the run above it. */
export async function endToolExecutions(trx: Trx, runId: string, now: Date): Promise<void> {
  const family = trx
    .selectFrom('runs')
    .select('id')
    .where((row) => row.or([row('id', '=', runId), row('parent_run_id', '=', runId)]))
  await trx
    .updateTable('tool_executions')
    .set({ status: 'error', error: 'The run ended before this call did.', finished_at: now })
    .where('run_id', 'in', family)
    .where('finished_at', 'is', null)
    .execute()
}

/** Calls that had no result there are made anew, under ids of their own. */
export async function announceAgain(
  trx: Kysely<Tables>,
  runId: string,
  calls: Inherited['calls'],
): Promise<void> {
  for (const [from, to] of calls) {
    await trx
      .insertInto('tool_executions')
      .columns(['id', 'run_id', 'user_id', 'session_id', 'tool_id', 'input', 'status'])
      .expression((query) =>
        query
          .selectFrom('tool_executions')
          .select(({ val }) => [val(to).as('id'), val(runId).as('run_id')])
          .select(['user_id', 'session_id', 'tool_id', 'input', 'status'])
          .where('id', '=', from),
      )
      .execute()
  }
}

export async function insertStandalone(
  trx: Kysely<Tables>,
  holder: Holder,
  input: RunInput,
  { isHeld, version }: { isHeld: boolean; version: number },
) {
  const { user_id, agent_type, standalone } = input
  await trx
    .insertInto('runs')
    .values({
      ...{ id: holder.runId, kind: 'tool', user_id, session_id: standalone?.session_id ?? null },
      ...{ agent_type, agent_version: version, ...standing(holder, isHeld) },
    })
    .execute()
}

/** A message by its id, or null. */
export async function loadMessage(db: Kysely<Tables>, id: string): Promise<Message | null> {
  const row = await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toMessage(row) : null
}

/** Makes `owner` the holder of a paused run; false when it is paused no more. */
export async function holdPaused(trx: Trx, { id, epoch }: RunRow, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ owner })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'paused')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertRecord(trx: Trx, record: Insertable<Tables['run_records']>): Promise<void> {
  await trx.insertInto('run_records').values(record).execute()
}
