import { type Kysely, sql } from 'kysely'
import { planOnce } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { firstId } from '../events/events.ts'

/** Rows of 100 ms per session and read; the next read continues from there. */
export const ROWS_PER_SESSION = 100
export type StoredRow = { session_id: string; run_id: string; events: [number, string, object][] }

/** Loads the events stored above the given id of each session, oldest first. Ids are comparable only within a session. */
export async function loadStored(db: Kysely<Tables>, bounds: Map<string, number>): Promise<StoredRow[]> {
  const stored = sql<StoredRow>`
    select bound.session_id, sent.run_id, sent.events
    from unnest(${[...bounds.keys()]}::uuid[], ${[...bounds.values()]}::bigint[]) as bound (session_id, after)
    cross join lateral (
      select run_id, last_id, events from run_events
      where run_events.session_id = bound.session_id and last_id > bound.after
      order by last_id limit ${ROWS_PER_SESSION}
    ) as sent
    order by sent.last_id`
  const { rows } = await db.executeQuery(planOnce('load_stored', stored.compile(db)))
  return rows
}

/** Returns which of these runs are running or queued. */
export async function findHeld(db: Kysely<Tables>, runIds: Set<string>): Promise<Set<string>> {
  if (runIds.size === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from runs where id = any(${[...runIds]}::uuid[]) and state in ('queued', 'running')
    order by id limit ${runIds.size}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the running or queued reply of each of these sessions. */
export async function findUnderWayIn(
  db: Kysely<Tables>,
  sessionIds: Set<string>,
): Promise<Map<string, { id: string; attempt: number }>> {
  const { rows } = await sql<{ session_id: string; id: string; attempt: number }>`
    select session_id, id, attempt from runs
    where session_id = any(${[...sessionIds]}::uuid[]) and kind = 'chat' and parent_run_id is null
      and state in ('queued', 'running')
    order by id limit ${sessionIds.size}`.execute(db)
  return new Map(rows.map(({ session_id, id, attempt }) => [session_id, { id, attempt }]))
}

/** Returns the active standalone runs of a session and the newest stored id of each. */
export async function findUnderWay(
  db: Kysely<Tables>,
  sessionId: string,
): Promise<{ id: string; last: number }[]> {
  const rows = await db
    .selectFrom('runs')
    .leftJoin('run_events', 'run_events.session_id', 'runs.id')
    .select((row) => ['runs.id', 'runs.epoch', row.fn.max('run_events.last_id').as('last')])
    .where('runs.session_id', '=', sessionId)
    .where('runs.kind', '=', 'tool')
    .where('runs.state', 'in', ['queued', 'running'])
    .groupBy('runs.id')
    .orderBy('runs.id')
    .execute()
  return rows.map(({ id, epoch, last }) => ({ id, last: last ?? firstId(epoch) }))
}
