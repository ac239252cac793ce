import { type Kysely, sql } from 'kysely'
import type { Reconciliation } from '#shared/knowledge/vector-db/vector-db.ts'
import { planOnce, toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { TableSpec } from '../../platform/vectors/vectors.ts'

type Db = Kysely<Tables>

/** A collection, and the table of the vector store that holds it. */
export type Collection = {
  id: string
  name: string
  description: string | null
  table_name: string
  model: string | null
  spec: TableSpec
  changed_at: Date
  reconciled_at: Date | null
  mended: Reconciliation['mended']
  /** `live` is what is searched; the others are the library's, while it goes over to another embedding model. */
  role: Role
}

export type Role = 'live' | 'building' | 'kept' | 'leaving'

const columns = [
  'id',
  'name',
  'description',
  'table_name',
  'model',
  'spec',
  'changed_at',
  'reconciled_at',
  'mended',
  'role',
] as const

export async function findCollection(db: Db, name: string): Promise<Collection | null> {
  const query = db
    .selectFrom('collections')
    .select(columns)
    .where('name', '=', name)
    .where('role', '=', 'live')
  const { rows } = await db.executeQuery(planOnce('find_collection', query.compile()))
  return rows[0] ?? null
}

/** Those that are searched, by name. */
export async function listCollections(db: Db): Promise<Collection[]> {
  const query = db.selectFrom('collections').select(columns).where('role', '=', 'live')
  return query.orderBy('name').limit(COLLECTIONS_MAX).execute()
}

/** Everything the vector store has a table for: of all collections, or of those with a name, the live one first. */
export async function listTables(db: Db, name?: string): Promise<Collection[]> {
  const query = db.selectFrom('collections').select(columns).where('role', '<>', 'leaving')
  const named = name === undefined ? query : query.where('name', '=', name)
  const isLive = sql`role = 'live'`
  return named
    .orderBy('name')
    .orderBy(isLive, 'desc')
    .orderBy('role')
    .limit(COLLECTIONS_MAX + 2)
    .execute()
}

/** So many there are at most. */
export const COLLECTIONS_MAX = 1_000

type NewCollection = Pick<Collection, 'name' | 'description' | 'table_name' | 'model' | 'spec'> & {
  configuration?: unknown
  role?: Role
}

/** Null when there is one of this name in this role. */
export async function insertCollection(db: Db, given: NewCollection): Promise<Collection | null> {
  const row = await db
    .insertInto('collections')
    .values({
      ...given,
      spec: toJson(given.spec),
      configuration: toJson(given.configuration ?? {}),
    })
    .onConflict((conflict) => conflict.columns(['name', 'role']).where('role', '<>', 'leaving').doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row ?? null
}

export async function deleteCollection(db: Db, id: string): Promise<void> {
  await db.deleteFrom('collections').where('id', '=', id).execute()
}

/** When something was last written into it: upkeep waits until writes are over. */
export async function noteWrite(db: Db, id: string): Promise<void> {
  await sql`update collections set changed_at = now() where id = ${id}`.execute(db)
}

/** That it was compared with the database, and what was mended where something was. */
export async function noteReconciled(
  db: Db,
  id: string,
  mended: Omit<NonNullable<Reconciliation['mended']>, 'at'> | null,
  at: Date,
): Promise<void> {
  await db
    .updateTable('collections')
    .set({ reconciled_at: at, ...(mended && { mended: toJson({ ...mended, at: at.toISOString() }) }) })
    .where('id', '=', id)
    .execute()
}
