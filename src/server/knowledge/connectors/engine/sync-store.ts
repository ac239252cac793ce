import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ConnectorRow } from '../connector-store.ts'

type Db = Kysely<Tables>

const NO_COUNTS = { added: 0, changed: 0, moved: 0, removed: 0, refused: 0 }

/** Longest time between two complete listings, which also compare the counts. */
const MAX_LISTING_AGE_MS = 7 * 86_400_000

/** Tells whether a sync reads only the changes that the source reports. */
export const isByChanges = ({ sync_number, listing_number }: ConnectorRow): boolean =>
  listing_number < sync_number

/** Notes that a sync is under way; one that was interrupted continues. A new one reads changes, or lists everything once a week. */
export async function noteBegun(trx: Db, row: ConnectorRow, now: Date): Promise<void> {
  const { id, phase, changes_token, listed_at } = row
  const isListed = listed_at !== null && now.getTime() - listed_at.getTime() < MAX_LISTING_AGE_MS
  const byChanges = changes_token !== null && isListed
  if (phase === null)
    await sql`update connectors set sync_number = sync_number + 1, phase = 'listing', cursor = null, began_at = ${now},
      listing_number = case when ${byChanges} then listing_number else sync_number + 1 end,
      changes_token = case when ${byChanges} then changes_token end,
      counts = ${JSON.stringify(NO_COUNTS)}::jsonb where id = ${id}`.execute(trx)
  await sql`update connectors set state = 'working', wait_until = null where id = ${id}`.execute(trx)
}

/** Notes the cursor behind a page and the number of its items. */
export async function notePage(
  trx: Db,
  id: string,
  { cursor, isFirst, items }: { cursor: string | null; isFirst: boolean; items: number },
): Promise<void> {
  await sql`update connectors set cursor = ${cursor}, listed = case when ${isFirst} then 0 else listed end + ${items}
    where id = ${id}`.execute(trx)
}

/** Notes that all items are listed, with the token of later changes if the source reports them. */
export async function noteListed(trx: Db, id: string, changes: string | null, now: Date): Promise<void> {
  await sql`update connectors set changes_token = ${changes}, listed_at = ${now} where id = ${id}`.execute(
    trx,
  )
}

/** Notes that items are read next. */
export async function noteReading(trx: Db, id: string): Promise<void> {
  await sql`update connectors set phase = 'reading' where id = ${id}`.execute(trx)
}

/** Replaces the token of changes. Returns false when another process has read this page. */
export async function noteChanges(
  trx: Db,
  id: string,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const { rows } =
    await sql`update connectors set changes_token = ${to} where id = ${id} and changes_token = ${from}
    returning id`.execute(trx)
  return rows.length > 0
}

/** Counts the items that the source has, after changes. */
export async function countListed(trx: Db, { id, listing_number }: ConnectorRow): Promise<void> {
  await sql`update connectors set listed = (select count(*) from connector_items
    where connector_id = ${id} and seen_in >= ${listing_number}) where id = ${id}`.execute(trx)
}

/** Lists everything instead of changes, or from the beginning. The counts of the sync stay. */
export async function restartListing(trx: Db, id: string): Promise<void> {
  await sql`update connectors set sync_number = sync_number + 1, listing_number = sync_number + 1, phase = 'listing', cursor = null,
    changes_token = null, restarts = restarts + 1 where id = ${id}`.execute(trx)
}

/** Stops a sync with a question about the items that its listing lacks. */
export async function askAboutMissing(
  trx: Db,
  { id, listing_number }: ConnectorRow,
  { missing, stored }: { missing: number; stored: number },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into connector_removals (connector_id, missing, of, asked_at) values (${id}, ${missing}, ${stored}, ${now})
    returning id`.execute(trx)
  await sql`update connector_items set removal_id = ${rows[0]?.id} where connector_id = ${id} and seen_in < ${listing_number}
    and stored_version is not null and removed_at is null`.execute(trx)
  await sql`update connectors set state = 'asking', next_sync_at = null where id = ${id}`.execute(trx)
  await sql`select notify_of_connector(${id}, 'connector_asks', ${`removal ${rows[0]?.id} asked`})`.execute(
    trx,
  )
}

/** Stores a finished sync and plans the next. */
export async function noteEnded(trx: Db, row: ConnectorRow, now: Date, next: Date): Promise<void> {
  const { id, began_at, counts } = row
  await sql`insert into connector_syncs (connector_id, began_at, ended_at, counts)
    values (${id}, ${began_at}, ${now}, ${JSON.stringify(counts)}::jsonb)`.execute(trx)
  await sql`update connectors set state = 'ready', phase = null, cursor = null, error = null, failures = 0, restarts = 0, last_sync_at = ${now},
    next_sync_at = ${next} where id = ${id}`.execute(trx)
}

/** Makes all connectors of a host wait; without a host only this one. */
export async function waitUntil(db: Db, { id, host }: ConnectorRow, until: Date): Promise<void> {
  await sql`update connectors set wait_until = greatest(wait_until, ${until}::timestamptz)
    where id = ${id} or (${host}::text is not null and host = ${host})`.execute(db)
}

/** Stores a failure. The first of several is also listed among the syncs. `next` is null when the sign-in ended. */
export async function noteFailure(
  trx: Db,
  row: ConnectorRow,
  { error, now, next }: { error: string; now: Date; next: Date | null },
): Promise<void> {
  const { id, began_at, counts, failures } = row
  await sql`update connectors set state = ${next === null ? 'signed_out' : 'failing'}, error = ${error},
    failures = failures + 1, next_sync_at = ${next} where id = ${id}`.execute(trx)
  if (next === null)
    await sql`select notify_of_connector(${id}, 'connector_signed_out', ${`connector ${id} signed out ${now.toISOString()}`})`.execute(
      trx,
    )
  if (failures === 0)
    await sql`insert into connector_syncs (connector_id, began_at, ended_at, counts, error)
      values (${id}, ${began_at ?? now}, ${now}, ${JSON.stringify(counts)}::jsonb, ${error})`.execute(trx)
}
