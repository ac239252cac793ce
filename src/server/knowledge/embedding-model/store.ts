import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A collection of the library in one of its roles. */
export type LibraryRow = {
  id: string
  role: 'live' | 'building' | 'kept' | 'leaving'
  model: string
  dimensions: number
  table_name: string
  kept_since: Date | null
  changed_at: Date
  standstill: string | null
}

const columns = sql`id, role, model, (spec->'targets'->0->>'dimensions')::int as dimensions, table_name, kept_since, changed_at, standstill`

export async function listRows(db: Db, name: string): Promise<LibraryRow[]> {
  const { rows } = await sql<LibraryRow>`
    select ${columns} from collections where name = ${name} order by id limit 100`.execute(db)
  return rows
}

/** Like `listRows`, and locks the rows until the transaction ends. */
export async function holdRows(trx: Db, name: string): Promise<LibraryRow[]> {
  const { rows } = await sql<LibraryRow>`
    select ${columns} from collections where name = ${name} order by id limit 100 for update`.execute(trx)
  return rows
}

/** Sets the role of a collection. `leaving` is deleted once no search can use it any more. */
export async function setRole(
  trx: Db,
  id: string,
  role: LibraryRow['role'],
  { now, kept_since = null }: { now: Date; kept_since?: Date | null },
): Promise<void> {
  await trx
    .updateTable('collections')
    .set({ role, kept_since, standstill: null, changed_at: now })
    .where('id', '=', id)
    .execute()
}

export async function noteStandstill(db: Db, id: string, sentence: string | null): Promise<void> {
  await sql`update collections set standstill = ${sentence}
    where id = ${id} and standstill is distinct from ${sentence}`.execute(db)
}

/** Deletes vectors of a model that have other dimensions than it has now. */
export async function deleteOtherLengths(trx: Db, model: string, dimensions: number): Promise<void> {
  await sql`delete from chunk_vectors where model = ${model} and octet_length(vector) <> ${dimensions * 4}`.execute(
    trx,
  )
}

/** Returns the number of deleted vectors, at most `limit`. */
export async function deleteVectors(trx: Db, model: string, limit: number): Promise<number> {
  const { rows } = await sql<{ chunk_id: string }>`
    delete from chunk_vectors where (chunk_id, model) in (
      select chunk_id, model from chunk_vectors where model = ${model} limit ${limit}) returning chunk_id`.execute(
    trx,
  )
  return rows.length
}

/** Returns the number of searchable passages, and the number of vectors of a model. */
export async function countPassages(db: Db, model: string): Promise<{ total: number; done: number }> {
  const { rows } = await sql<{ total: number; done: number }>`
    select (select coalesce(sum(r.chunks), 0)::int from readings r where r.status = 'completed'
        and exists (select from document_versions v where v.reading_id = r.id)) as total,
      (select count(*)::int from chunk_vectors where model = ${model}) as done`.execute(db)
  return rows[0] ?? { total: 0, done: 0 }
}

/** Returns the number of passages without a vector of a model, and their total characters. */
export async function countLacking(db: Db, model: string): Promise<{ passages: number; characters: number }> {
  const { rows } = await sql<{ passages: number; characters: number }>`
    select count(*)::int as passages, coalesce(sum(length(c.text)), 0)::float8 as characters from chunks c
    where not exists (select from chunk_vectors v where v.chunk_id = c.id and v.model = ${model})`.execute(db)
  return rows[0] ?? { passages: 0, characters: 0 }
}

/** Sets the embedding model of completed readings after another model took over. */
export async function noteModelOfReadings(db: Db, model: string): Promise<void> {
  await sql`update readings set embedding_model = ${model}
    where status = 'completed' and embedding_model is distinct from ${model}`.execute(db)
}

/** Returns the owner of the oldest document that shows a reading; null when there is none. */
export async function findOwner(db: Db, readingId: string): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from documents where reading_id = ${readingId} order by created_at, id limit 1`.execute(db)
  return rows[0]?.user_id ?? null
}
