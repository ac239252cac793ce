import type { Kysely } from 'kysely'
import { CompiledQuery, sql } from 'kysely'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Database } from '../../platform/db/db.ts'
import { planOnce } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'

export type StoredEvent = { id: number; event: RunEvent; runId: string }

/** Rows per read; each row holds 100 ms of events. */
const PAGE_ROWS = 500

/** Yields a run's events with ids above `after`, in order and page by page, because a run may last an hour. */
export async function* readEvents(
  db: Kysely<Tables>,
  { runId, after }: { runId: string; after: number },
): AsyncGenerator<StoredEvent[], void> {
  let from = 0
  for (;;) {
    const rows = await db
      .selectFrom('run_events')
      .select(['first_id', 'events'])
      .where('run_id', '=', runId)
      .where('first_id', '>', from)
      .where('last_id', '>', after)
      .orderBy('first_id')
      .limit(PAGE_ROWS)
      .execute()
    const sent = rows.flatMap(({ events }) => events as [number, string, object][])
    yield sent
      .filter(([id]) => id > after)
      .map(([id, event, fields]) => ({ id, runId, event: { ...fields, event } as RunEvent }))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) return
    from = last.first_id
  }
}

/** Maximum rows (100 ms each) to replay. A reader who missed more starts over. */
export const MAX_ROWS = 2_000

export type Row = { first_id: number; last_id: number; events: [number, string, object][] }

export async function loadRows(db: Database, sessionId: string, after: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select first_id, last_id, events from run_events
    where session_id = ${sessionId} and last_id >= ${after}
    order by last_id limit ${MAX_ROWS + 1}`.execute(db)
  return rows
}

const ROWS_AT_ONCE = 5_000

/** Hours for which the events of a finished run can be replayed. After that only the message remains. */
const KEEP_HOURS = 24

/** Removes sent events whose run ended more than 24 hours ago. */
export async function removeOldEvents({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEEP_HOURS * 3_600_000)
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from run_events where ctid in (
        select e.ctid from run_events e join runs r on r.id = e.run_id
        where r.finished_at < ${before} limit ${ROWS_AT_ONCE}
      )`.execute(db)
    if ((numAffectedRows ?? 0n) < BigInt(ROWS_AT_ONCE)) return
  }
}

export async function findNewestId(db: Kysely<Tables>, sessionId: string): Promise<number> {
  const newest = await db
    .selectFrom('run_events')
    .select((row) => row.fn.max('last_id').as('id'))
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return newest?.id ?? 0
}

export type SentRow = {
  runId: string
  sessionId: string
  epoch: number
  first: number
  last: number
  events: string
}

/**
 * Inserts rows. The join is the fence: it skips rows of runs this process no longer owns. Rows are padded to a power of
 * two, so that a connection plans at most eleven statements. The same commit sends `news` on `channel` to every process.
 */
export async function insertRows(
  db: Database,
  rows: SentRow[],
  { channel, news }: { channel: string; news: string },
): Promise<void> {
  const size = 2 ** Math.ceil(Math.log2(rows.length))
  const parameters = rows.flatMap((row) => [
    ...[row.runId, row.sessionId, row.epoch, row.first, row.last],
    `[${row.events}]`,
  ])
  const fill: null[] = Array((size - rows.length) * 6).fill(null)
  const insert = CompiledQuery.raw(insertText(size), [...parameters, ...fill, channel, news])
  await db.executeQuery(planOnce(`store_events_${size}`, insert))
}

function insertText(size: number): string {
  const values = Array.from({ length: size }, (_, index) => {
    const at = index * 6
    return `($${at + 1}::uuid,$${at + 2}::uuid,$${at + 3}::bigint,$${at + 4}::bigint,$${at + 5}::bigint,$${at + 6}::json)`
  })
  return `with stored as (
    insert into run_events (run_id, session_id, first_id, last_id, events)
    select sent.run_id, sent.session_id, sent.first_id, sent.last_id, sent.events
    from (values ${values.join(',')}) as sent (run_id, session_id, epoch, first_id, last_id, events)
    join runs on runs.id = sent.run_id and runs.epoch = sent.epoch
    on conflict do nothing)
    select pg_notify($${size * 6 + 1}, $${size * 6 + 2})`
}
