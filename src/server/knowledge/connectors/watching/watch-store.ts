import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type WatchRow = Selectable<Tables['connector_watches']>

/** Time between two notified syncs, and between a notification and its sync: changes come in bursts. */
const [GAP_S, DELAY_S] = [15, 2]

export async function findWatch(db: Db, connectorId: string): Promise<WatchRow | undefined> {
  const query = db.selectFrom('connector_watches').selectAll().where('connector_id', '=', connectorId)
  return query.executeTakeFirst()
}

/** Notes an attempt to watch a source, and returns the row. The first attempt stores the secret. */
export async function noteTried(
  db: Db,
  connectorId: string,
  { secret, now, again }: { secret: string; now: Date; again: Date },
): Promise<WatchRow & { secret: string }> {
  const { rows } = await sql<WatchRow & { secret: string }>`
    insert into connector_watches as known (connector_id, secret, renew_at, tried_at) values (${connectorId}, ${secret}, ${again}, ${now})
    on conflict (connector_id) do update set secret = coalesce(known.secret, excluded.secret), renew_at = excluded.renew_at,
      tried_at = excluded.tried_at
    returning *`.execute(db)
  return rows[0]!
}

/** Stores what a source accepted. */
export async function noteWatched(
  db: Db,
  connectorId: string,
  { channels, ends_at, renew_at }: { channels: string; ends_at: Date; renew_at: Date },
): Promise<void> {
  await sql`update connector_watches set channels = ${channels}, ends_at = ${ends_at}, renew_at = ${renew_at}, error = null
    where connector_id = ${connectorId}`.execute(db)
}

export async function noteUnwatched(db: Db, connectorId: string, error: string): Promise<void> {
  await sql`update connector_watches set error = ${error} where connector_id = ${connectorId}`.execute(db)
}

/** Notes that a source is followed. */
export async function noteFollowed(db: Db, connectorId: string, now: Date): Promise<void> {
  await sql`
    insert into connector_watches (connector_id, renew_at, tried_at) values (${connectorId}, ${now}, ${now})
    on conflict (connector_id) do update set tried_at = excluded.tried_at, error = null`.execute(db)
}

/** Notes why a source is not followed, and when that is tried again. */
export async function noteUnfollowed(
  db: Db,
  connectorId: string,
  { error, now, again }: { error: string; now: Date; again: Date },
): Promise<void> {
  await sql`
    insert into connector_watches (connector_id, renew_at, tried_at, error) values (${connectorId}, ${again}, ${now}, ${error})
    on conflict (connector_id) do update set renew_at = excluded.renew_at, tried_at = excluded.tried_at, error = excluded.error`.execute(
    db,
  )
}

/** Makes the renewal due, or the next attempt to follow a source. */
export async function renewNow(db: Db, connectorId: string, now: Date): Promise<void> {
  await sql`update connector_watches set renew_at = ${now} where connector_id = ${connectorId}`.execute(db)
}

/** Returns connectors of these sources that have synced and whose notifications are to be asked for or renewed. */
export async function listUnwatched(db: Db, sources: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from connectors c left join connector_watches w on w.connector_id = c.id
    where c.source = any(${[...sources]}::text[]) and c.removing is null and c.state in ('ready', 'working') and c.last_sync_at is not null
      and (w.renew_at is null or w.renew_at <= ${now})
    order by w.renew_at nulls first, c.id limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns connectors of these sources that are to be followed. */
export async function listFollowed(db: Db, sources: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.id from connectors c left join connector_watches w on w.connector_id = c.id
    where c.source = any(${[...sources]}::text[]) and c.removing is null and c.state in ('ready', 'working') and c.last_sync_at is not null
      and (w.error is null or w.renew_at <= ${now})
    order by c.id limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Brings the next sync forward, and returns its time; null when one is due already or none is planned. A notification during a sync makes another
 * one follow it.
 */
export async function bringForward(trx: Db, connectorId: string, now: Date): Promise<Date | null> {
  await sql`update connector_watches set notified_at = ${now} where connector_id = ${connectorId}`.execute(
    trx,
  )
  const { rows } = await sql<{ next_sync_at: Date }>`
    update connectors set next_sync_at = ${soon(now)} where id = ${connectorId} and removing is null and state = 'ready'
      and next_sync_at > ${soon(now)} returning next_sync_at`.execute(trx)
  return rows[0]?.next_sync_at ?? null
}

const soon = (now: Date) =>
  sql<Date>`greatest(${now}::timestamptz + make_interval(secs => ${sql.lit(DELAY_S)}), last_sync_at + make_interval(secs => ${sql.lit(GAP_S)}))`

/** Returns whether a notification arrived since a sync began. */
export async function wasNotified(trx: Db, connectorId: string, since: Date | null): Promise<boolean> {
  const { rows } = await sql`select from connector_watches
    where connector_id = ${connectorId} and notified_at >= ${since}`.execute(trx)
  return rows.length > 0
}
