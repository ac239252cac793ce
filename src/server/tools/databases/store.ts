import { type Kysely, type Selectable, sql } from 'kysely'
import type { DatabaseTable } from '#shared/tools/databases/databases.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type StoredDatabase = Selectable<Tables['databases']>
export type DatabaseValues = Omit<StoredDatabase, 'id' | 'tables' | 'created_at'>

/** Databases of an installation. Creating more is refused. */
export const MAX_DATABASES = 200

/** Returns whether an installation has more databases than it may have. */
export async function hasTooMany(db: Db): Promise<boolean> {
  const rows = await db
    .selectFrom('databases')
    .select('id')
    .orderBy('id')
    .limit(MAX_DATABASES + 1)
    .execute()
  return rows.length > MAX_DATABASES
}

/** Returns all databases by name. */
export function findDatabases(db: Db): Promise<StoredDatabase[]> {
  return db.selectFrom('databases').selectAll().orderBy('name').orderBy('id').limit(MAX_DATABASES).execute()
}

export async function listDatabaseIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('databases').select('id').orderBy('id').limit(MAX_DATABASES).execute()
  return rows.map(({ id }) => id)
}

export function findDatabase(db: Db, id: string): Promise<StoredDatabase | undefined> {
  return db.selectFrom('databases').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores a database. Until somebody is granted access, it is closed to all. Returns undefined when the name is taken. */
export async function insertDatabase(trx: Db, values: DatabaseValues): Promise<StoredDatabase | undefined> {
  // Databases are counted after the insert, so that concurrent inserts wait for each other.
  await sql`select pg_advisory_xact_lock(hashtextextended('databases', 0))`.execute(trx)
  const row = await trx
    .insertInto('databases')
    .values({ ...values, tables: toJson([]) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row)
    await sql`insert into grants (kind, thing, effect, who) values ('database', ${row.id}, 'allow', 'nobody')`.execute(
      trx,
    )
  return row
}

/** Changes a database; undefined when another one has the name. */
export async function updateStored(
  trx: Db,
  id: string,
  values: Partial<DatabaseValues>,
): Promise<StoredDatabase | undefined> {
  const { rows } =
    await sql`select from databases where lower(name) = lower(${values.name ?? ''}) and id <> ${id}`.execute(
      trx,
    )
  if (rows.length > 0) return undefined
  return trx.updateTable('databases').set(values).where('id', '=', id).returningAll().executeTakeFirst()
}

export function writeTables(
  trx: Db,
  id: string,
  tables: DatabaseTable[],
): Promise<StoredDatabase | undefined> {
  return trx
    .updateTable('databases')
    .set({ tables: toJson(tables) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Removes a database with its grants. Returns its name; null for an unknown one. */
export async function deleteStored(trx: Db, id: string): Promise<string | null> {
  const row = await trx.deleteFrom('databases').where('id', '=', id).returning('name').executeTakeFirst()
  await trx.deleteFrom('grants').where('kind', '=', 'database').where('thing', '=', id).execute()
  return row?.name ?? null
}
