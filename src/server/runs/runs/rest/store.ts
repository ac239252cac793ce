import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { terminalEvents } from '#shared/runs/runs/events.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { LiveRun } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import type { RecordValue } from '../journal/journal-record.ts'
import type { RunRow } from '../store.ts'
import { findNextPosition } from '../store.ts'

/** Returns the event with which a run came to rest: its end, its pause or its open question. */
export async function findLast(db: Kysely<Tables>, { id }: RunRow): Promise<RunEvent | null> {
  const record = await db
    .selectFrom('run_records')
    .select('value')
    .where('run_id', '=', id)
    .where('kind', 'in', ['end', 'ask', 'pause'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const events = (record?.value as RecordValue | undefined)?.events ?? []
  return events.findLast(({ event }) => terminalEvents.has(event)) ?? null
}

export async function findLatestReply(db: Kysely<Tables>, sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with recursive path as (
      select m.id, m.parent_id, m.role, 0 as depth
      from sessions s join messages m on m.id = s.active_leaf where s.id = ${sessionId}
      union all
      select parent.id, parent.parent_id, parent.role, depth + 1
      from path join messages parent on parent.id = path.parent_id
      where path.role <> 'assistant'
    )
    select id from path where role = 'assistant' order by depth limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Releases a run, so that another process can resume it immediately. */
export async function releaseRun(engine: Engine, run: LiveRun): Promise<void> {
  await engine.events.sentFrames.flush().catch(() => undefined)
  await engine.deps.db
    .updateTable('runs')
    .set({ owner: null })
    .where('id', '=', run.id)
    .where('owner', '=', run.holder.owner)
    .where('epoch', '=', run.holder.epoch)
    .execute()
  // Only now: a shutdown that waits for the last run would otherwise end the process too early.
  engine.live.delete(run.id)
}

/** Records that a paused run resumes, together with its claim. Other runs need no such record. */
export async function recordResume(
  trx: Kysely<Tables>,
  before: RunRow,
  claimed: RunRow,
  now: Date,
): Promise<void> {
  if (before.paused_for === null || claimed.stop_requested) return
  const { id: run_id, attempt, epoch } = claimed
  const event = {
    ...{ event: 'agent_task_resumed', run_id, step_key: null, attempt, timestamp: now.toISOString() },
    checkpoint_name: await findPausedAt(trx, run_id),
  } satisfies RunEvent
  const value = toJson({ value: null, events: [event] })
  await trx
    .insertInto('run_records')
    .values({
      ...{ run_id, kind: 'resume', key: String(attempt), attempt, epoch, value },
      position: await findNextPosition(trx, run_id),
    })
    .execute()
}

async function findPausedAt(trx: Kysely<Tables>, runId: string): Promise<string> {
  const pause = await trx
    .selectFrom('run_records')
    .select('value')
    .where('run_id', '=', runId)
    .where('kind', '=', 'pause')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const event = (pause?.value as RecordValue | undefined)?.events[0]
  return event?.event === 'agent_task_paused' ? event.checkpoint_name : ''
}

/** Stores a pause request. */
export async function wishPause(db: Kysely<Tables>, runId: string): Promise<void> {
  await db
    .updateTable('runs')
    .set({ pause_requested: true })
    .where('id', '=', runId)
    .where('state', 'in', ['queued', 'running'])
    .execute()
}

/** Stores a stop request. */
export async function wishStop(db: Kysely<Tables>, runId: string): Promise<void> {
  await db.updateTable('runs').set({ stop_requested: true }).where('id', '=', runId).execute()
}

/** Maximum runs ended per poll. */
const ENDS_AT_ONCE = 20

/** Returns the runs at rest with a stop request. */
export async function findStopped(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('stop_requested', '=', true)
    .where('state', 'in', ['waiting', 'paused'])
    .where('parent_run_id', 'is', null)
    .orderBy('created_at')
    .limit(ENDS_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the runs of a user, or of all users, that paused for lack of funds and can be paid for now. */
export async function findPayable(
  db: Kysely<Tables>,
  userId: string | null,
  { isFree, limit }: { isFree: boolean; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select runs.id from runs
    where state = 'paused' and paused_for in ('balance', 'budget') and parent_run_id is null
      and (${userId}::uuid is null or user_id = ${userId}::uuid)
      and (paused_for <> 'budget' or is_within_budget(paused_budget, id))
      and (${isFree} or paused_for <> 'balance'
        or (select balance from user_balances where user_id = runs.user_id) >
           (select coalesce(sum(amount), 0) from balance_reservations where user_id = runs.user_id))
    order by created_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Queues a paused run for a worker. Returns false when it is no longer paused. */
export async function queuePaused(
  trx: Kysely<Tables>,
  { id, session_id, epoch }: Pick<RunRow, 'id' | 'session_id' | 'epoch'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('runs')
    .set({ state: 'queued' })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('state', '=', 'paused')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx
    .updateTable('sessions')
    .set({ status: 'GENERATING', agent_status: 'processing' })
    .where('id', '=', session_id)
    .execute()
  return true
}
