import { type Kysely, sql } from 'kysely'
import type { ImportFormat } from '#shared/lifecycle/imports/imports.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { ImportTables } from '../../../platform/db/export-tables.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
export type ThingKind = ImportTables['imported_things']['kind']
/** The person and the product that a thing comes from. */
export type Origin = { user_id: string; source: ImportFormat }
export type NewThing = { foreign_id: string; thing_id: string }

/** Returns the thing that was imported under this foreign id; null if there is none. */
export async function findThing(
  db: Db,
  { user_id, source }: Origin,
  kind: ThingKind,
  foreignId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('imported_things')
    .select('thing_id')
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('foreign_id', '=', foreignId)
    .executeTakeFirst()
  return row?.thing_id ?? null
}

/** Returns the things that were imported under these foreign ids, by foreign id. */
export async function findThings(
  db: Db,
  { user_id, source }: Origin,
  kind: ThingKind,
  foreignIds: readonly string[],
): Promise<Map<string, string>> {
  if (foreignIds.length === 0) return new Map()
  const { rows } = await sql<{ foreign_id: string; thing_id: string }>`
    select foreign_id, thing_id from imported_things
    where user_id = ${user_id} and source = ${source} and kind = ${kind} and foreign_id = any(${[...foreignIds]}::text[])
    order by foreign_id limit ${foreignIds.length}`.execute(db)
  return new Map(rows.map(({ foreign_id, thing_id }) => [foreign_id, thing_id]))
}

/** Returns how many of these foreign ids are imported already. */
export async function countKnown(
  db: Db,
  { user_id, source }: Origin,
  kind: ThingKind,
  foreignIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from imported_things
    where user_id = ${user_id} and source = ${source} and kind = ${kind} and foreign_id = any(${foreignIds}::text[])`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Returns the imported messages of a chat, by foreign id. */
export async function listMessages(db: Db, sessionId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('imported_things')
    .select(['foreign_id', 'thing_id'])
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'message')
    .orderBy('foreign_id')
    .execute()
  return new Map(rows.map(({ foreign_id, thing_id }) => [foreign_id, thing_id]))
}

type Place = Origin & { kind: ThingKind; import_id: string; session_id: string | null }

/** Notes where things come from. */
export async function insertThings(trx: Db, place: Place, things: readonly NewThing[]): Promise<void> {
  const { user_id, source, kind, import_id, session_id } = place
  await sql`
    insert into imported_things (user_id, source, kind, foreign_id, thing_id, session_id, import_id)
    select ${user_id}, ${source}, ${kind}, foreign_id, thing_id, ${session_id}, ${import_id}
    from jsonb_to_recordset(${toJson(things)}::jsonb) as thing (foreign_id text, thing_id uuid)`.execute(trx)
}

export async function forgetThing(
  trx: Db,
  { user_id, source }: Origin,
  kind: ThingKind,
  foreignId: string,
): Promise<void> {
  await trx
    .deleteFrom('imported_things')
    .where('user_id', '=', user_id)
    .where('source', '=', source)
    .where('kind', '=', kind)
    .where('foreign_id', '=', foreignId)
    .execute()
}
