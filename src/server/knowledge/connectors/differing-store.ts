import { type Kysely, sql } from 'kysely'
import type { ItemReason, ItemState, Sync } from '#shared/knowledge/connectors/connector-items.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type DifferingRow = {
  id: string
  state: ItemState
  reason: ItemReason | null
  detail: string | null
  name: string
  path: string
  url: string | null
  size: number | null
  tries: number
  since: Date
}

const differing = sql`
  select i.id, i.connector_id, case when i.removal_id is not null then 'missing' when i.state <> 'stored' then i.state else 'failed' end as state,
    case when i.state = 'stored' and i.removal_id is null then 'unreadable' else i.reason end as reason, i.detail, i.name, i.path, i.url, i.size,
    i.tries, i.since
  from connector_items i
  where i.state <> 'stored' or i.removal_id is not null or exists (
    select from documents d where d.connector_item_id = i.id and d.parent_id is null and d.status = 'failed')`

/** Returns a page of the items that differ from the source, by path, and the total. */
export async function listDiffering(
  db: Db,
  connectorId: string,
  { skip, limit, state }: { skip: number; limit: number; state?: ItemState | undefined },
): Promise<{ rows: DifferingRow[]; total: number }> {
  const { rows } = await sql<DifferingRow & { total: number; connector_id: string }>`
    select *, count(*) over ()::int as total from (${differing}) i
    where i.connector_id = ${connectorId} and (${state ?? null}::text is null or i.state = ${state ?? null})
    order by i.path, i.id limit ${limit} offset ${skip}`.execute(db)
  const total = rows[0]?.total ?? 0
  return { rows: rows.map(({ total: _, connector_id: __, ...row }) => row), total }
}

/** Makes a refused or failed item wait to be read again. Returns false when it is neither. */
export async function retryItem(trx: Db, connectorId: string, itemId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update connector_items i set state = 'waiting', reason = null, detail = null, tries = 0, since = ${now}
    where i.id = ${itemId} and i.connector_id = ${connectorId} and (i.state in ('refused', 'waiting') or exists (
      select from documents d where d.connector_item_id = i.id and d.parent_id is null and d.status = 'failed'))
    returning i.id`.execute(trx)
  return rows.length > 0
}

export async function readItem(db: Db, itemId: string): Promise<DifferingRow | null> {
  const { rows } = await sql<DifferingRow & { connector_id: string }>`
    select * from (${differing}) i where i.id = ${itemId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { connector_id: _, ...rest } = row
  return rest
}

/** Returns a page of finished syncs, newest first. */
export async function listFinished(
  db: Db,
  connectorId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<Sync[]> {
  const { rows } = await sql<Omit<Sync, 'began_at' | 'ended_at'> & { began_at: Date; ended_at: Date }>`
    select id, began_at, ended_at, counts, error from connector_syncs where connector_id = ${connectorId}
    order by ended_at desc, id limit ${limit} offset ${skip}`.execute(db)
  return rows.map((row) => ({
    ...row,
    began_at: row.began_at.toISOString(),
    ended_at: row.ended_at.toISOString(),
  }))
}
