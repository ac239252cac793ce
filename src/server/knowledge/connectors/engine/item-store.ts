import { type Kysely, sql } from 'kysely'
import type { ItemReason } from '#shared/knowledge/connectors/connector-items.ts'
import type { SyncCounts } from '#shared/knowledge/connectors/connectors.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ConnectorRow } from '../connector-store.ts'

type Db = Kysely<Tables>

/** An item to write, with clean texts. `refused` is set for one that will not be read. */
export type ListedItem = {
  foreign_id: string
  version: string
  move_key: string | null
  name: string
  path: string
  url: string | null
  owner: string | null
  labels: string[]
  tags: string[]
  size: number | null
  created_there: Date | null
  changed_there: Date | null
  readers: string[]
  refused: ItemReason | null
}

/**
 * Writes a page of a listing. An item with another version waits to be read; one with another name or path renames its document.
 * Returns the number of renamed documents, and of items that are refused since now.
 */
export async function writeListed(
  trx: Db,
  connectorId: string,
  syncNumber: number,
  items: readonly ListedItem[],
  now: Date,
): Promise<{ moved: number; refused: number }> {
  if (items.length === 0) return { moved: 0, refused: 0 }
  const given = toJson(items)
  const written = await sql<{ is_refused: boolean }>`
    insert into connector_items as known (connector_id, foreign_id, version, move_key, name, path, url, owner, labels, size,
      created_there, changed_there, readers, seen_in, state, reason, since)
    select ${connectorId}::uuid, g.foreign_id, g.version, g.move_key, g.name, g.path, g.url, g.owner, g.labels, g.size,
      g.created_there, g.changed_there, g.readers, ${syncNumber}, case when g.refused is null then 'waiting' else 'refused' end,
      g.refused, ${now}
    from jsonb_to_recordset(${given}::jsonb) as g (${fields}) order by g.foreign_id
    on conflict (connector_id, foreign_id) do update set
      version = excluded.version, move_key = excluded.move_key, name = excluded.name, path = excluded.path, url = excluded.url,
      owner = excluded.owner, labels = excluded.labels, size = excluded.size, created_there = excluded.created_there,
      changed_there = excluded.changed_there, readers = excluded.readers, seen_in = excluded.seen_in,
      removal_id = null, removed_at = null,
      state = case when known.version <> excluded.version then excluded.state else known.state end,
      reason = case when known.version <> excluded.version then excluded.reason else known.reason end,
      detail = case when known.version <> excluded.version then null else known.detail end,
      tries = case when known.version <> excluded.version then 0 else known.tries end,
      since = case when known.version <> excluded.version then excluded.since else known.since end
    returning known.state = 'refused' and known.since = ${now} as is_refused`.execute(trx)
  const { rows } = await sql`
    update documents d set name = i.name, tags = g.tags, updated_at = ${now}
    from jsonb_to_recordset(${given}::jsonb) as g (${fields})
      join connector_items i on i.connector_id = ${connectorId} and i.foreign_id = g.foreign_id
    where d.connector_item_id = i.id and d.parent_id is null and (d.name <> i.name or d.tags <> g.tags)
    returning d.id`.execute(trx)
  return { moved: rows.length, refused: written.rows.filter(({ is_refused }) => is_refused).length }
}

const fields = sql`foreign_id text, version text, move_key text, name text, path text, url text, owner text, labels text[], tags text[],
  size bigint, created_there timestamptz, changed_there timestamptz, readers text[], refused text`

/**
 * Joins items that were moved: a new one with the key of one that is no longer listed takes the place of that. Returns their number.
 */
export async function joinMoved(
  trx: Db,
  { id: connectorId, sync_number, listing_number }: ConnectorRow,
): Promise<number> {
  const { rows: pairs } = await sql<{ old_id: string; new_id: string }>`
    with gone as (select id, move_key, row_number() over (partition by move_key order by id) as place from connector_items
        where connector_id = ${connectorId} and seen_in < ${listing_number} and state = 'stored' and removed_at is null and move_key is not null),
      come as (select id, move_key, row_number() over (partition by move_key order by id) as place from connector_items
        where connector_id = ${connectorId} and seen_in = ${sync_number} and stored_version is null and state = 'waiting' and move_key is not null)
    select gone.id as old_id, come.id as new_id from gone join come using (move_key, place) order by gone.id limit 1000000`.execute(
    trx,
  )
  if (pairs.length === 0) return 0
  const given = JSON.stringify(pairs)
  // The old row takes the place of the new one, which is therefore deleted first.
  const { rows: taken } = await sql<{ row: unknown }>`
    delete from connector_items where id in (select new_id from jsonb_to_recordset(${given}::jsonb) as p (old_id uuid, new_id uuid))
    returning to_jsonb(connector_items) as row`.execute(trx)
  const rows = JSON.stringify(taken.map(({ row }) => row))
  await sql`
    update connector_items old set foreign_id = n.foreign_id, version = n.version, stored_version = n.version, name = n.name,
      path = n.path, url = n.url, owner = n.owner, labels = n.labels, changed_there = n.changed_there, readers = n.readers,
      seen_in = n.seen_in, removal_id = null
    from jsonb_to_recordset(${given}::jsonb) as p (old_id uuid, new_id uuid)
      join jsonb_populate_recordset(null::connector_items, ${rows}::jsonb) as n on n.id = p.new_id
    where old.id = p.old_id`.execute(trx)
  await sql`
    update documents d set name = i.name,
      tags = array(select distinct part from unnest((string_to_array(i.path, '/'))[:cardinality(string_to_array(i.path, '/')) - 1] || i.labels) part
        where part <> '' order by part)
    from connector_items i join jsonb_to_recordset(${given}::jsonb) as p (old_id uuid, new_id uuid) on p.old_id = i.id
    where d.connector_item_id = i.id and d.parent_id is null`.execute(trx)
  return pairs.length
}

/** Notes items that the source reports as gone. */
export async function noteGone(
  trx: Db,
  { id, listing_number }: ConnectorRow,
  foreignIds: readonly string[],
): Promise<void> {
  await sql`update connector_items set seen_in = ${listing_number - 1}
    where connector_id = ${id} and foreign_id = any(${[...foreignIds]}::text[])`.execute(trx)
}

/** Returns the groups that the items of a connector name as readers. */
export async function listGroups(db: Db, connectorId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct key from connector_items i, unnest(i.readers) key
    where i.connector_id = ${connectorId} and key like 'group:%' order by key limit 10000`.execute(db)
  return rows.map(({ key }) => key)
}

/** Counts stored items, and those that the source no longer lists. */
export async function countMissing(
  trx: Db,
  connectorId: string,
  listingNumber: number,
): Promise<{ missing: number; stored: number }> {
  const { rows } = await sql<{ missing: number; stored: number }>`
    select count(*) filter (where seen_in < ${listingNumber})::int as missing, count(*)::int as stored from connector_items
    where connector_id = ${connectorId} and stored_version is not null and removed_at is null`.execute(trx)
  return rows[0] ?? { missing: 0, stored: 0 }
}

/** Deletes items that were never stored and are no longer listed. */
export async function forgetUnread(trx: Db, connectorId: string, listingNumber: number): Promise<void> {
  await sql`delete from connector_items
    where connector_id = ${connectorId} and seen_in < ${listingNumber} and stored_version is null`.execute(
    trx,
  )
}

/** An item to read, with the document that already shows it. */
export type WaitingItem = {
  id: string
  foreign_id: string
  version: string
  name: string
  path: string
  labels: string[]
  tries: number
  document_id: string | null
}

/** Returns items to read, those with the fewest tries first. */
export async function listWaiting(db: Db, connectorId: string, limit: number): Promise<WaitingItem[]> {
  const { rows } = await sql<WaitingItem>`
    select i.id, i.foreign_id, i.version, i.name, i.path, i.labels, i.tries, d.id as document_id
    from connector_items i left join documents d on d.connector_item_id = i.id and d.parent_id is null
    where i.connector_id = ${connectorId} and i.state = 'waiting' order by i.tries, i.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Locks items, and returns the ids of those that still wait with the version that was read. */
export async function lockWaiting(
  trx: Db,
  items: readonly Pick<WaitingItem, 'id' | 'version'>[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.id from connector_items i join jsonb_to_recordset(${toJson(items)}::jsonb) as g (id uuid, version text)
      on g.id = i.id and g.version = i.version
    where i.state = 'waiting' order by i.id for no key update of i`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** Notes that the listed versions of locked items are stored. */
export async function noteStored(trx: Db, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update connector_items set state = 'stored', stored_version = version, reason = null, detail = null, tries = 0, since = ${now}
    where id = any(${[...ids]}::uuid[])`.execute(trx)
}

/** Notes why an item is not read. Returns false when another version is listed meanwhile, or it no longer waits. */
export async function noteRefused(
  trx: Db,
  { id, version }: Pick<WaitingItem, 'id' | 'version'>,
  reason: ItemReason,
  detail: string | null,
): Promise<boolean> {
  const { rows } = await sql`
    update connector_items set state = 'refused', reason = ${reason}, detail = ${detail}, tries = tries + 1
    where id = ${id} and state = 'waiting' and version = ${version} returning id`.execute(trx)
  return rows.length > 0
}

/** Counts failed attempts; the items are read again. */
export async function noteFailed(trx: Db, ids: readonly string[]): Promise<void> {
  await sql`update connector_items set tries = tries + 1 where id = any(${[...ids]}::uuid[]) and state = 'waiting'`.execute(
    trx,
  )
}

/** A legal hold covers the document `d` of an item, if it has one. */
const isItemHeld = sql<boolean>`(d.id is not null and is_document_held(d.id, d.user_id))`

/** Hides items that are no longer listed while a legal hold covers their documents. The purge deletes them after it is lifted. */
export async function hideHeld(db: Db, connectorId: string, listingNumber: number, now: Date): Promise<void> {
  await sql`
    update connector_items i set removed_at = ${now} from documents d
    where i.connector_id = ${connectorId} and i.seen_in < ${listingNumber} and i.removal_id is null and i.removed_at is null
      and d.connector_item_id = i.id and d.parent_id is null and ${isItemHeld}`.execute(db)
}

/** Returns items whose documents are to be deleted: no longer listed, without an open question and a legal hold. */
export async function listGone(
  db: Db,
  connectorId: string,
  listingNumber: number,
  limit: number,
): Promise<{ id: string; document_id: string | null }[]> {
  const { rows } = await sql<{ id: string; document_id: string | null }>`
    select i.id, d.id as document_id from connector_items i
      left join documents d on d.connector_item_id = i.id and d.parent_id is null
    where i.connector_id = ${connectorId} and i.seen_in < ${listingNumber} and i.removal_id is null and i.removed_at is null
      and not ${isItemHeld}
    order by i.id limit ${limit}`.execute(db)
  return rows
}

/** Returns items whose confirmed removal can no longer be undone, without those under a legal hold. */
export async function listEnded(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ id: string; document_id: string | null }[]> {
  const { rows } = await sql<{ id: string; document_id: string | null }>`
    select i.id, d.id as document_id from connector_items i
      left join documents d on d.connector_item_id = i.id and d.parent_id is null
    where i.removed_at < ${before} and not ${isItemHeld} order by i.removed_at, i.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/**
 * Locks the connector of an item, and returns whether the removal of the item can still not be undone: the source may list it again
 * meanwhile.
 */
export async function lockEnded(trx: Db, id: string, before: Date): Promise<boolean> {
  await sql`select from connectors c where c.id = (select connector_id from connector_items where id = ${id})
    for no key update`.execute(trx)
  const { rows } = await sql`select from connector_items where id = ${id} and removed_at < ${before}`.execute(
    trx,
  )
  return rows.length > 0
}

/** Returns items of a connector with their documents, without those under a legal hold. `removed` selects those whose removal is confirmed. */
export async function listItemsOf(
  db: Db,
  connectorId: string,
  { limit, removed }: { limit: number; removed: boolean },
): Promise<{ id: string; document_id: string | null }[]> {
  const { rows } = await sql<{ id: string; document_id: string | null }>`
    select i.id, d.id as document_id from connector_items i
      left join documents d on d.connector_item_id = i.id and d.parent_id is null
    where i.connector_id = ${connectorId} and (not ${removed} or i.removed_at is not null) and not ${isItemHeld}
    order by i.id limit ${limit}`.execute(db)
  return rows
}

/** Returns whether a connector has items. */
export async function hasItems(db: Db, connectorId: string): Promise<boolean> {
  const { rows } = await sql`select from connector_items where connector_id = ${connectorId} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Returns false when another process has deleted the item. */
export async function deleteItem(trx: Db, id: string): Promise<boolean> {
  const { rows } = await sql`delete from connector_items where id = ${id} returning id`.execute(trx)
  return rows.length > 0
}

/** Adds to the counts of the sync under way. */
export async function addCounts(db: Db, connectorId: string, counts: Partial<SyncCounts>): Promise<void> {
  const given = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
  if (Object.keys(given).length === 0) return
  await sql`update connectors set counts = counts || (
    select jsonb_object_agg(name, (counts ->> name)::int + added::int)
    from jsonb_each_text(${JSON.stringify(given)}::jsonb) as g (name, added)) where id = ${connectorId}`.execute(
    db,
  )
}

/** Replaces the members of the groups of a source and notes when its rights were read. */
export async function replaceMembers(
  trx: Db,
  connectorId: string,
  members: readonly { group_key: string; address: string }[],
  now: Date,
): Promise<void> {
  await sql`delete from connector_members where connector_id = ${connectorId}`.execute(trx)
  await sql`
    insert into connector_members (connector_id, group_key, address)
    select distinct ${connectorId}::uuid, m.group_key, lower(m.address)
    from jsonb_to_recordset(${toJson(members)}::jsonb) as m (group_key text, address text)`.execute(trx)
  await sql`update connectors set rights_read_at = ${now} where id = ${connectorId}`.execute(trx)
}
