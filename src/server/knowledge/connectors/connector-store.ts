import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import type { ConnectorReader } from '#shared/knowledge/connectors/connectors.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type ConnectorRow = Selectable<Tables['connectors']>

/** A connector with the numbers of its page. */
export type CountedRow = ConnectorRow & {
  owner_name: string
  readers: ConnectorReader[]
  waiting: number
  read: number
  refused: number
  bytes: number
  embedding_cost: number
  is_watched: boolean | null
  is_unfollowed: boolean | null
  documents_waiting: number
  documents_failed: number
  removal: {
    id: string
    state: 'asked' | 'removed'
    missing: number
    of: number
    asked_at: Date
    answered_at: Date | null
    folders: { path: string; missing: number }[]
  } | null
}

/** Days in which a confirmed removal can be undone. */
export const UNDO_DAYS = 30

export async function findConnector(db: Db, id: string): Promise<ConnectorRow | null> {
  return (await db.selectFrom('connectors').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/**
 * Locks a connector until the end of the transaction. Returns null when it is gone or being removed. Lock it before its items and
 * documents. New documents may still name it.
 */
export async function lockConnector(trx: Db, id: string): Promise<ConnectorRow | null> {
  const query = trx.selectFrom('connectors').selectAll().where('id', '=', id).where('removing', 'is', null)
  return (await query.forNoKeyUpdate().executeTakeFirst()) ?? null
}

/** Keeps the owner from being deleted until the end of the transaction. Lock it before the connector, as changes of accounts do. */
export async function lockOwner(trx: Db, { user_id }: Pick<ConnectorRow, 'user_id'>): Promise<void> {
  await sql`select from users where id = ${user_id} for key share`.execute(trx)
}

/** Returns whether the owner belongs to the company of a connector; true for a personal one. */
export async function isOwnerInCompany(
  db: Db,
  { user_id, company_id }: Pick<ConnectorRow, 'user_id' | 'company_id'>,
): Promise<boolean> {
  if (company_id === null) return true
  const members = db.selectFrom('company_members').select('user_id').where('company_id', '=', company_id)
  return (await members.where('user_id', '=', user_id).executeTakeFirst()) !== undefined
}

/** Returns a page of the connectors that the principal manages, by name, and the total. */
export async function listCounted(
  db: Db,
  principal: Principal,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rows: CountedRow[]; total: number }> {
  const { rows } = await sql<CountedRow & { total: number }>`
    select ${counted}, (select count(*)::int from connectors t where ${may(principal, 'read connector', 't')}) as total
    from connectors c where ${may(principal, 'read connector', 'c')}
    order by lower(c.name), c.id limit ${limit} offset ${skip}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

export async function readCounted(db: Db, id: string): Promise<CountedRow | null> {
  const { rows } = await sql<CountedRow>`select ${counted} from connectors c where c.id = ${id}`.execute(db)
  return rows[0] ?? null
}

const folderOfItem = sql`case when position('/' in i.path) = 0 then '' else regexp_replace(i.path, '/[^/]*$', '') end`

const counted = sql`c.*,
  (select coalesce(nullif(u.full_name, ''), u.username) from users u where u.id = c.user_id) as owner_name,
  coalesce((select json_agg(json_build_object('kind', case when share.company_id is not null then 'company'
      when share.group_id is not null then 'group' else 'person' end,
      'id', coalesce(share.company_id, share.group_id, share.person_id)) order by share.id)
    from connector_shares share where share.connector_id = c.id), '[]') as readers,
  (select count(*)::int from connector_items i where i.connector_id = c.id and i.state = 'waiting') as waiting,
  (select count(*)::int from connector_items i where i.connector_id = c.id and i.stored_version is not null and i.removed_at is null) as read,
  (select count(*)::int from connector_items i where i.connector_id = c.id and i.state = 'refused') as refused,
  (select coalesce(sum(d.size), 0)::float8 from documents d where d.connector_id = c.id and d.parent_id is null) as bytes,
  coalesce((select cost.amount from connector_costs cost where cost.connector_id = c.id), 0)::float8 as embedding_cost,
  (select w.ends_at > now() from connector_watches w where w.connector_id = c.id) as is_watched,
  (select w.error is not null from connector_watches w where w.connector_id = c.id) as is_unfollowed,
  (select count(*)::int from documents d where d.connector_id = c.id and d.parent_id is null and d.status in ('queued', 'in_progress')) as documents_waiting,
  (select count(*)::int from documents d where d.connector_id = c.id and d.parent_id is null and d.status = 'failed') as documents_failed,
  (select json_build_object('id', r.id, 'state', r.state, 'missing', r.missing, 'of', r.of, 'asked_at', r.asked_at, 'answered_at', r.answered_at,
      'folders', coalesce((select json_agg(f order by f.missing desc, f.path) from (
        select ${folderOfItem} as path, count(*)::int as missing from connector_items i
        where i.removal_id = r.id group by 1 order by 2 desc, 1 limit 10) f), '[]'))
    from connector_removals r where r.connector_id = c.id
      and (r.state = 'asked' or (r.state = 'removed' and r.answered_at > now() - make_interval(days => ${sql.lit(UNDO_DAYS)})))
    order by r.asked_at desc limit 1) as removal`

/** Replaces those who may use a connector of a company. People must belong to it, and groups be of it. */
export async function replaceReaders(
  trx: Db,
  { id, company_id }: { id: string; company_id: string },
  readers: readonly ConnectorReader[],
): Promise<void> {
  const ids = (kind: ConnectorReader['kind']) =>
    readers.filter((one) => one.kind === kind).map(({ id }) => id)
  await sql`delete from connector_shares where connector_id = ${id}`.execute(trx)
  if (ids('company').includes(company_id))
    await sql`insert into connector_shares (connector_id, company_id) values (${id}, ${company_id})`.execute(
      trx,
    )
  await sql`insert into connector_shares (connector_id, group_id)
    select ${id}::uuid, g.id from groups g where g.id = any(${ids('group')}::uuid[]) and g.company_id = ${company_id}`.execute(
    trx,
  )
  await sql`insert into connector_shares (connector_id, person_id, within)
    select ${id}::uuid, m.user_id, m.company_id from company_members m
    where m.user_id = any(${ids('person')}::uuid[]) and m.company_id = ${company_id}`.execute(trx)
}

/** A connector `c` that may read its source: a personal one stops while its owner is deactivated. */
const mayRead = sql<boolean>`(c.company_id is not null or exists (
  select from users owner where owner.id = c.user_id and owner.deactivated_at is null))`

/** Returns whether a connector may read its source now. */
export async function mayReadSource(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select from connectors c where c.id = ${id} and ${mayRead}`.execute(db)
  return rows.length > 0
}

/** Returns connectors with work to do now: a sync that is due or interrupted, or a removal. */
export async function listDue(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from connectors c
    where removing is not null or ((wait_until is null or wait_until <= ${now}) and next_sync_at <= ${now}
      and state in ('ready', 'working', 'failing') and ${mayRead})
    order by next_sync_at nulls first, id limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks the list of a person or company until the end of the transaction, and counts its connectors. */
export async function countConnectors(
  trx: Db,
  { user_id, company_id }: { user_id: string; company_id: string | null },
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${`connectors ${company_id ?? user_id}`}))`.execute(trx)
  const isTheirs =
    company_id === null ? sql`company_id is null and user_id = ${user_id}` : sql`company_id = ${company_id}`
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from connectors where ${isTheirs}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Pauses a connector, unless it waits for an answer. */
export async function pauseConnector(db: Db, id: string): Promise<void> {
  await sql`update connectors set state = 'paused', next_sync_at = null where id = ${id} and state <> 'asking'`.execute(
    db,
  )
}

/** Makes a sync due. */
export async function makeDue(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update connectors set state = 'working', next_sync_at = ${now} where id = ${id}`.execute(trx)
}

/** Deletes a connector without items. */
export async function deleteConnector(db: Db, id: string): Promise<void> {
  await db.deleteFrom('connectors').where('id', '=', id).execute()
}

/** Inserts a connector and returns its id. */
export async function insertConnector(trx: Db, row: Insertable<Tables['connectors']>): Promise<string> {
  const { id } = await trx.insertInto('connectors').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateConnector(
  trx: Db,
  id: string,
  changes: Updateable<Tables['connectors']>,
): Promise<void> {
  await trx.updateTable('connectors').set(changes).where('id', '=', id).execute()
}
