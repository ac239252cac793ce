import { type Kysely, sql, type Transaction } from 'kysely'
import type { Restricts } from '#shared/identity/networks/networks.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Networks of one company, both lists together. */
export const MAX_NETWORKS = 200

export type NetworkRow = {
  id: string
  restricts: Restricts
  network: string
  note: string
  created_at: Date
}
type Which = { companyId: string; networkId: string }

const columns = sql`id, restricts, network::text as network, note, created_at`

export async function findNetworks(db: Db, companyId: string): Promise<NetworkRow[]> {
  const { rows } = await sql<NetworkRow>`select ${columns} from company_networks
    where company_id = ${companyId} order by created_at, id limit ${MAX_NETWORKS}`.execute(db)
  return rows
}

/** Locks a company and returns its name; undefined when it is unknown. */
export async function lockCompanyName(trx: Trx, id: string): Promise<string | undefined> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst())?.name
}

/** Returns null if the list has the network already. */
export async function insertNetwork(
  trx: Trx,
  companyId: string,
  { restricts, network, note, now }: Pick<NetworkRow, 'restricts' | 'network' | 'note'> & { now: Date },
): Promise<NetworkRow | null> {
  const { rows } = await sql<NetworkRow>`
    insert into company_networks (company_id, restricts, network, note, created_at)
    values (${companyId}, ${restricts}, ${network}::cidr, ${note}, ${now})
    on conflict (company_id, restricts, network) do nothing returning ${columns}`.execute(trx)
  return rows[0] ?? null
}

/** Changes a note. Returns the network and its previous note; null when it is unknown. */
export async function updateNote(
  trx: Trx,
  { companyId, networkId }: Which,
  note: string,
): Promise<{ row: NetworkRow; before: string } | null> {
  const { rows } = await sql<NetworkRow>`select ${columns} from company_networks
    where company_id = ${companyId} and id = ${networkId} for update`.execute(trx)
  const [row] = rows
  if (!row) return null
  await sql`update company_networks set note = ${note} where id = ${networkId}`.execute(trx)
  return { row: { ...row, note }, before: row.note }
}

/** Returns the deleted network, or null. */
export async function deleteNetwork(trx: Trx, { companyId, networkId }: Which): Promise<NetworkRow | null> {
  const { rows } = await sql<NetworkRow>`delete from company_networks
    where company_id = ${companyId} and id = ${networkId} returning ${columns}`.execute(trx)
  return rows[0] ?? null
}

export async function deleteNetworks(trx: Trx, companyId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('company_networks')
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns the companies with an id, or with a name in any case; at most two. */
export async function findCompaniesNamed(db: Db, name: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from companies
    where id::text = lower(${name}) or lower(name) = lower(${name}) order by id limit 2`.execute(db)
  return rows
}

/** Returns whether a company has an administrator who can enter: a super admin, or one with a sign-in from its networks. */
export async function hasEnteringAdmin(db: Db, companyId: string): Promise<boolean> {
  const { rows } = await sql<{ can_enter: boolean }>`
    select has_entering_admin(${companyId}, null) as can_enter`.execute(db)
  return rows[0]?.can_enter ?? false
}

/** Returns whether a restricted company would have no administrator who can enter without this one. */
export async function isLastEnteringAdmin(db: Db, companyId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_last: boolean }>`
    select is_last_entering_admin(${companyId}, ${userId}) as is_last`.execute(db)
  return rows[0]?.is_last ?? false
}
