import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A row of the library, as it is while its model is being changed. */
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

/** As `listRows`; nobody else changes what they are for until the transaction is over. */
export async function holdRows(trx: Db, name: string): Promise<LibraryRow[]> {
  const { rows } = await sql<LibraryRow>`
    select ${columns} from collections where name = ${name} order by id limit 100 for update`.execute(trx)
  return rows
}

/** `leaving` from now on: it is deleted once nobody can be searching it. */
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

/** Vectors a model made when its vectors had another length. */
export async function deleteOtherLengths(trx: Db, model: string, dimensions: number): Promise<void> {
  await sql`delete from chunk_vectors where model = ${model} and octet_length(vector) <> ${dimensions * 4}`.execute(
    trx,
  )
}

/** Gives how many were deleted. */
export async function deleteVectors(trx: Db, model: string, limit: number): Promise<number> {
  const { rows } = await sql<{ chunk_id: string }>`
    delete from chunk_vectors where (chunk_id, model) in (
      select chunk_id, model from chunk_vectors where model = ${model} limit ${limit}) returning chunk_id`.execute(
    trx,
  )
  return rows.length
}

/** Passages that are to be found, and how many vectors of a model there are. */
export async function countPassages(db: Db, model: string): Promise<{ total: number; done: number }> {
  const { rows } = await sql<{ total: number; done: number }>`
    select (select coalesce(sum(r.chunks), 0)::int from readings r where r.status = 'completed'
        and exists (select from document_versions v where v.reading_id = r.id)) as total,
      (select count(*)::int from chunk_vectors where model = ${model}) as done`.execute(db)
  return rows[0] ?? { total: 0, done: 0 }
}

/** Passages without a vector of a model, and how long they are together. */
export async function countLacking(db: Db, model: string): Promise<{ passages: number; characters: number }> {
  const { rows } = await sql<{ passages: number; characters: number }>`
    select count(*)::int as passages, coalesce(sum(length(c.text)), 0)::float8 as characters from chunks c
    where not exists (select from chunk_vectors v where v.chunk_id = c.id and v.model = ${model})`.execute(db)
  return rows[0] ?? { passages: 0, characters: 0 }
}

/** What readings say they were embedded with, once another model took over. */
export async function noteModelOfReadings(db: Db, model: string): Promise<void> {
  await sql`update readings set embedding_model = ${model}
    where status = 'completed' and embedding_model is distinct from ${model}`.execute(db)
}

/** Whose document it is that was read so, the eldest of several; null when it is gone. */
export async function findOwner(db: Db, readingId: string): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from documents where reading_id = ${readingId} order by created_at, id limit 1`.execute(db)
  return rows[0]?.user_id ?? null
}
