import { type Kysely, sql } from 'kysely'
import type { Place } from '#shared/platform/place.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A reading to index, with the newest document that shows it. */
export type ReadingToIndex = {
  id: string
  attempt: number
  user_id: string
  company_id: string | null
  document_id: string
  name: string
  format: string | null
  language: string | null
  created_at: Date
}

/** Returns null when no document shows the reading any more. */
export async function readingToIndex(db: Db, id: string): Promise<ReadingToIndex | null> {
  const { rows } = await sql<ReadingToIndex>`
    select r.id, r.attempt, r.user_id, r.format, r.language, d.company_id, d.id as document_id, v.name, r.created_at
    from readings r join document_versions v on v.reading_id = r.id join documents d on d.id = v.document_id
    where r.id = ${id} order by v.created_at desc limit 1`.execute(db)
  return rows[0] ?? null
}

export type ChunkToIndex = {
  id: string
  position: number
  type: string
  text: string
  heading_path: string[]
  page_number: number | null
  stands: Place
  vector: Buffer | null
}

/** Returns passages of a reading after a position, with their vectors of a model. */
export async function chunksToIndex(
  db: Db,
  readingId: string,
  model: string,
  after: number,
  limit: number,
): Promise<ChunkToIndex[]> {
  const { rows } = await sql<ChunkToIndex>`
    select c.id, c.position, c.type, c.text, c.heading_path, c.page_number, c.place as stands, v.vector
    from chunks c left join chunk_vectors v on v.chunk_id = c.id and v.model = ${model}
    where c.reading_id = ${readingId} and c.position > ${after} order by c.position limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Returns the dimensions of the reading's vectors of a model; null when there are none. */
export async function storedDimensions(db: Db, readingId: string, model: string): Promise<number | null> {
  const { rows } = await sql<{ bytes: number }>`
    select octet_length(v.vector) as bytes from chunks c join chunk_vectors v on v.chunk_id = c.id
    where c.reading_id = ${readingId} and v.model = ${model} limit 1`.execute(db)
  return rows[0] ? rows[0].bytes / 4 : null
}

export async function noteIndexed(
  db: Db,
  collectionId: string,
  { id, attempt }: Pick<ReadingToIndex, 'id' | 'attempt'>,
  chunks: number,
): Promise<void> {
  await sql`insert into indexed_readings (collection_id, reading_id, attempt, chunks)
    values (${collectionId}, ${id}, ${attempt}, ${chunks})
    on conflict (collection_id, reading_id) do update set attempt = excluded.attempt, chunks = excluded.chunks`.execute(
    db,
  )
}

/**
 * Returns the attempt whose passages are indexed, perhaps in part; null when there are none. A reading is recorded before its first passage
 * is written.
 */
export async function findNotedAttempt(
  db: Db,
  collectionId: string,
  readingId: string,
): Promise<number | null> {
  const { rows } = await sql<{ attempt: number }>`select attempt from indexed_readings
    where collection_id = ${collectionId} and reading_id = ${readingId}`.execute(db)
  return rows[0]?.attempt ?? null
}

/** Tells whether the passages of an attempt are indexed, with or without vectors. */
export async function isIndexed(
  db: Db,
  collectionId: string,
  { id, attempt }: Pick<ReadingToIndex, 'id' | 'attempt'>,
): Promise<boolean> {
  const { rows } = await sql`select from indexed_readings
    where collection_id = ${collectionId} and reading_id = ${id} and attempt = ${attempt} and chunks >= 0`.execute(
    db,
  )
  return rows.length > 0
}

export async function noteForgotten(db: Db, collectionId: string, readingIds: string[]): Promise<void> {
  await sql`delete from indexed_readings
    where collection_id = ${collectionId} and reading_id = any(${readingIds}::uuid[])`.execute(db)
}

/** Returns completed readings whose latest attempt is not indexed. */
export async function listUnindexed(db: Db, collectionId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from readings r
    where r.status = 'completed' and exists (select from document_versions v where v.reading_id = r.id)
      and not exists (select from indexed_readings i
        where i.collection_id = ${collectionId} and i.reading_id = r.id and i.attempt = r.attempt and i.chunks >= 0)
    order by r.updated_at, r.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns indexed readings that no document shows any more. */
export async function listForgotten(db: Db, collectionId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select i.reading_id as id from indexed_readings i
    where i.collection_id = ${collectionId}
      and not exists (select from document_versions v where v.reading_id = i.reading_id)
    order by i.reading_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the expected number of passages per reading; -1 while they are written. */
export async function countIndexed(db: Db, collectionId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ reading_id: string; chunks: number }>`
    select reading_id, chunks from indexed_readings where collection_id = ${collectionId} order by reading_id
    limit 10000000`.execute(db)
  return new Map(rows.map(({ reading_id, chunks }) => [reading_id, chunks]))
}

/** Tells whether a collection is live with this model, and locks its row until the transaction ends. */
export async function holdLive(trx: Db, collectionId: string, model: string): Promise<boolean> {
  const { rows } = await sql`select from collections
    where id = ${collectionId} and role = 'live' and model = ${model} for share`.execute(trx)
  return rows.length > 0
}
