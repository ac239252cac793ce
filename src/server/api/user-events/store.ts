import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'

/** Events per user and read; the next read continues from there. */
export const EVENTS_AT_ONCE = 500

export type StoredUserEvent = { id: number; user_id: string; kind: string; data: object }

/** Returns events above the given id of each user, oldest first. */
export async function loadUserEvents(
  db: Kysely<Tables>,
  bounds: Map<string, number>,
): Promise<StoredUserEvent[]> {
  const { rows } = await sql<StoredUserEvent>`
    select told.id, bound.user_id, told.kind, told.data
    from unnest(${[...bounds.keys()]}::uuid[], ${[...bounds.values()]}::bigint[]) as bound (user_id, after)
    cross join lateral (
      select id, kind, data from user_events
      where user_events.user_id = bound.user_id and id > bound.after
      order by id limit ${EVENTS_AT_ONCE}
    ) as told
    order by told.id`.execute(db)
  return rows
}

/** Returns a user's newest id (0 without events), and whether an id is still stored, so that nothing after it is missing. */
export async function findPlace(
  db: Kysely<Tables>,
  userId: string,
  id: number | null,
): Promise<{ newest: number; isKnown: boolean }> {
  const { rows } = await sql<{ newest: number; isKnown: boolean }>`
    select coalesce(max(id), 0) as newest,
      exists (select from user_events where user_id = ${userId} and id = ${id}) as "isKnown"
    from user_events where user_id = ${userId}`.execute(db)
  return rows[0] ?? { newest: 0, isKnown: false }
}

const KEEP_HOURS = 24
/** Maximum events retained per user. A reader who missed more reloads everything. */
const KEEP_EVENTS = 2_000
const ROWS_AT_ONCE = 5_000

/** Deletes old or excess events, oldest first, so that the rest has no gaps. */
export async function removeOldUserEvents({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - KEEP_HOURS * 3_600_000)
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from user_events where id in (
        select id from user_events where created_at < ${before} order by created_at limit ${ROWS_AT_ONCE}
      )`.execute(db)
    if ((numAffectedRows ?? 0n) < BigInt(ROWS_AT_ONCE)) break
  }
  await sql`
    with bound as (
      select person.user_id, oldest.id
      from (select user_id from user_events group by user_id having count(*) > ${KEEP_EVENTS}) as person
      cross join lateral (
        select id from user_events where user_events.user_id = person.user_id
        order by id desc offset ${KEEP_EVENTS - 1} limit 1
      ) as oldest
    )
    delete from user_events using bound
    where user_events.user_id = bound.user_id and user_events.id < bound.id`.execute(db)
}
