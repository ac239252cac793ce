import { type Kysely, sql } from 'kysely'
import type { CompanyClass, DataClass } from '#shared/models/data-classes/data-classes.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** More than a company or its merges have. */
const MOST = 1_000

const columns = sql`c.id, c.company_id, c.name, c.position, c.is_default`

/** Counts what carries a class `c`: things, and texts made from things that are gone. */
const used = sql`((select count(*) from documents where class_id = c.id) + (select count(*) from workspaces where class_id = c.id)
  + (select count(*) from connectors where class_id = c.id) + (select count(*) from databases where class_id = c.id)
  + (select count(*) from run_sources where class_id = c.id) + (select count(*) from fact_sources where class_id = c.id)
  + (select count(*) from session_sources where class_id = c.id))::int`

/** Returns the classes of companies, the most open one of each first. */
export async function findClasses(db: Db, companyIds: readonly string[]): Promise<DataClass[]> {
  const { rows } = await sql<DataClass>`
    select ${columns} from data_classes c where c.company_id = any(${[...companyIds]}::uuid[])
    order by c.company_id, c.position, c.id limit ${MOST}`.execute(db)
  return rows
}

export async function findCompanyClasses(db: Db, companyId: string): Promise<CompanyClass[]> {
  const { rows } = await sql<CompanyClass>`
    select ${columns}, ${used} as used from data_classes c where c.company_id = ${companyId}
    order by c.position, c.id limit ${MOST}`.execute(db)
  return rows
}

/** Locks the company, so that one change of its classes happens at a time. Returns its name. */
export async function lockCompanyOfClasses(trx: Db, id: string): Promise<string | undefined> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst())?.name
}

/** Adds the strictest class. Returns null when the company has one of this name. */
export async function insertClass(trx: Db, companyId: string, name: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into data_classes (company_id, name, position)
    values (${companyId}, ${name}, (select coalesce(max(position) + 1, 0) from data_classes where company_id = ${companyId}))
    on conflict do nothing returning id`.execute(trx)
  return rows[0]?.id ?? null
}

/** Renames a class. Returns false when another one has the name. */
export async function renameClass(trx: Db, { id, company_id }: DataClass, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update data_classes set name = ${name} where id = ${id} and not exists (
      select from data_classes o where o.company_id = ${company_id} and o.id <> ${id} and lower(o.name) = lower(${name}))`.execute(
    trx,
  )
  return numAffectedRows === 1n
}

/** Stores the order of all classes of a company. */
export async function writeOrder(trx: Db, ids: readonly string[]): Promise<void> {
  await sql`
    update data_classes c set position = given.place - 1
    from unnest(${[...ids]}::uuid[]) with ordinality as given (id, place) where c.id = given.id`.execute(trx)
}

export async function writeDefault(trx: Db, { id, company_id }: DataClass): Promise<void> {
  await sql`update data_classes set is_default = false where company_id = ${company_id} and is_default`.execute(
    trx,
  )
  await sql`update data_classes set is_default = true where id = ${id}`.execute(trx)
}

/** Locks a class, so that nothing gets it meanwhile. */
export async function holdClass(trx: Db, id: string): Promise<void> {
  await sql`select from data_classes where id = ${id} for update`.execute(trx)
}

export async function deleteClass(trx: Db, id: string): Promise<void> {
  await sql`delete from data_classes where id = ${id}`.execute(trx)
}

/** Returns the restricted receivers of a company with the classes they may receive. */
export async function findReceivers(db: Db, companyId: string): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ receiver: string; classes: string[] }>`
    select r.receiver, array(select a.class_id from class_receiver_classes a join data_classes c on c.id = a.class_id
      where a.company_id = r.company_id and a.receiver = r.receiver order by c.position, c.id) as classes
    from class_receivers r where r.company_id = ${companyId} order by r.receiver limit ${MOST}`.execute(db)
  return new Map(rows.map(({ receiver, classes }) => [receiver, classes]))
}

/** Returns whether one of the companies restricts a receiver. */
export async function hasReceivers(db: Db, companyIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from class_receivers where company_id = any(${[...companyIds]}::uuid[]) limit 1`.execute(db)
  return rows.length > 0
}

/** Restricts a receiver to classes; null lets it receive everything. */
export async function writeReceiver(
  trx: Db,
  { companyId, receiver }: { companyId: string; receiver: string },
  classes: readonly string[] | null,
): Promise<void> {
  await sql`delete from class_receiver_classes where company_id = ${companyId} and receiver = ${receiver}`.execute(
    trx,
  )
  if (classes === null) {
    await sql`delete from class_receivers where company_id = ${companyId} and receiver = ${receiver}`.execute(
      trx,
    )
    return
  }
  await sql`insert into class_receivers (company_id, receiver) values (${companyId}, ${receiver}) on conflict do nothing`.execute(
    trx,
  )
  await sql`insert into class_receiver_classes (company_id, receiver, class_id)
    select ${companyId}, ${receiver}, id from data_classes where company_id = ${companyId} and id = any(${[...classes]}::uuid[])
    order by id`.execute(trx)
}

/** Gives documents without a class the default class of their owner's company. */
export async function keepDefault(trx: Db, companyId: string): Promise<void> {
  await sql`update documents d set class_id = c.id from data_classes c, company_members m
    where c.company_id = ${companyId} and c.is_default and m.company_id = ${companyId} and m.user_id = d.user_id
      and d.class_id is null and d.parent_id is null and d.connector_id is null`.execute(trx)
}

/** Replaces a class wherever it is carried. */
export async function replaceClass(trx: Db, from: string, to: string): Promise<void> {
  for (const table of [
    'documents',
    'workspaces',
    'connectors',
    'databases',
    'run_sources',
    'fact_sources',
    'session_sources',
  ])
    await sql`update ${sql.table(table)} set class_id = ${to} where class_id = ${from}`.execute(trx)
}

/** Moves a class to another company, as one that is no default. */
export async function adoptClass(
  trx: Db,
  id: string,
  { companyId, position }: { companyId: string; position: number },
): Promise<void> {
  await sql`update data_classes set company_id = ${companyId}, position = ${position}, is_default = false
    where id = ${id}`.execute(trx)
}
