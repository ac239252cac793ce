import { type Kysely, sql } from 'kysely'
import type {
  DocumentPart,
  DocumentPhase,
  Failure,
  Pipeline,
  Report,
} from '#shared/knowledge/documents/documents.ts'
import type { TextEncoding } from '#shared/knowledge/documents/encodings.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { NewChunk } from './cut.ts'

type Db = Kysely<Tables>
export type Phase = Exclude<DocumentPhase, 'UPLOAD'>

/** One attempt at a reading. Its writes count only while it is the latest. */
export type Attempt = { id: string; attempt: number }

/** The input of a phase. */
export type Work = Attempt & {
  user_id: string
  pipeline: Pipeline
  encoding: TextEncoding | ''
  phase: Phase
  name: string
  tries: number
  file_key: string
  language: string
  parts: number
  chunks: number
}

/**
 * Passed to a phase with its work. `next` requests the following phase, `again` another turn of this one; both in the transaction that
 * stores results. The next phase of a small document follows in the same job.
 */
export type Turn = {
  signal: AbortSignal
  next: (trx: Db, options: { isSmall: boolean }) => Promise<void>
  again: (trx: Db) => Promise<void>
}

/** Starts the current phase of an attempt; the embedding count is kept. Null when the attempt is obsolete. */
export async function beginPhase(db: Db, { id, attempt }: Attempt, now: Date): Promise<Work | null> {
  const { rows } = await sql<Work>`
    update readings r set status = 'in_progress', tries = r.tries + 1,
      done = case r.phase when 'EMBEDDING' then r.done else 0 end, total = case r.phase when 'EMBEDDING' then r.total else 0 end,
      phase_began_at = ${now}, updated_at = ${now}
    from blobs b, users u
    where r.id = ${id} and r.attempt = ${attempt} and r.status in ('queued', 'in_progress')
      and b.id = r.blob_id and u.id = r.user_id
    returning r.id, r.attempt, r.user_id, r.pipeline, r.encoding, r.phase, r.name, r.tries, r.parts, r.chunks,
      b.file_key, u.language`.execute(db)
  return rows[0] ?? null
}

export async function noteProgress(
  db: Db,
  { id, attempt }: Attempt,
  done: number,
  total: number,
): Promise<void> {
  await sql`update readings set done = ${done}, total = ${total}, updated_at = now()
    where id = ${id} and attempt = ${attempt} and status = 'in_progress'`.execute(db)
}

/** Locks an attempt that is still current; otherwise returns false. Every phase calls this before it stores anything. */
export async function holdAttempt(trx: Db, { id, attempt }: Attempt): Promise<boolean> {
  const { rows } = await sql`select from readings
    where id = ${id} and attempt = ${attempt} and status = 'in_progress' for update`.execute(trx)
  return rows.length > 0
}

export type Read = {
  format: string
  language: string | null
  facts: Record<string, string | number>
  report: Report
  files: string[]
  parts: number
  stored_bytes: number
  parse_ms: number
}

/** Stores the result of parsing and moves on to chunking. */
export async function endParsing(trx: Db, { id }: Attempt, read: Read): Promise<void> {
  await trx
    .updateTable('readings')
    .set({
      ...{ format: read.format, language: read.language, files: read.files, parts: read.parts },
      ...{ stored_bytes: read.stored_bytes, parse_ms: read.parse_ms },
      ...{ facts: toJson(read.facts), report: toJson(read.report) },
      ...{ phase: 'CHUNKING_ENRICHMENT', tries: 0, done: 0, total: 0, updated_at: sql<Date>`now()` },
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteParts(trx: Db, { id }: Attempt): Promise<void> {
  await trx.deleteFrom('reading_parts').where('reading_id', '=', id).execute()
}

export async function insertParts(trx: Db, { id }: Attempt, parts: DocumentPart[]): Promise<void> {
  await trx
    .insertInto('reading_parts')
    .values(
      parts.map(({ number, page, elements, words }) => ({
        ...{ reading_id: id, number, page: page && toJson(page) },
        ...{ elements: toJson(elements), words: toJson(words) },
      })),
    )
    .execute()
}

/** Returns the elements of parts `from` to `to`, in order. */
export async function readElements(
  db: Db,
  { id }: Attempt,
  from: number,
  to: number,
): Promise<DocumentPart['elements']> {
  const { rows } = await sql<Pick<DocumentPart, 'elements'>>`
    select elements from reading_parts where reading_id = ${id} order by number
    offset ${from} limit ${to - from}`.execute(db)
  return rows.flatMap(({ elements }) => elements)
}

export async function deleteChunks(trx: Db, { id }: Attempt): Promise<void> {
  await trx.deleteFrom('chunks').where('reading_id', '=', id).execute()
}

export async function insertChunks(
  trx: Db,
  { id }: Attempt,
  chunks: NewChunk[],
  first: number,
): Promise<void> {
  await trx
    .insertInto('chunks')
    .values(
      chunks.map(({ place, ...chunk }, at) => ({
        ...{ ...chunk, reading_id: id, position: first + at, place: toJson(place) },
      })),
    )
    .execute()
}

export async function endChunking(
  trx: Db,
  { id }: Attempt,
  chunks: number,
  chunking_ms: number,
): Promise<void> {
  await trx
    .updateTable('readings')
    .set({
      ...{ chunks, chunking_ms, phase: 'EMBEDDING', tries: 0, done: 0, total: chunks, embedding_ms: 0 },
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Adds the cost of embedding, in dollars, to the connector that a reading came from, if any. */
export async function addConnectorCost(trx: Db, { id }: Attempt, amount: number): Promise<void> {
  await sql`insert into connector_costs as cost (connector_id, amount)
    select d.connector_id, ${amount} from documents d where d.reading_id = ${id} and d.connector_id is not null
    order by d.created_at, d.id limit 1
    on conflict (connector_id) do update set amount = cost.amount + excluded.amount`.execute(trx)
}

/** Updates the number of embedded chunks and the time spent. Resets `tries`: the phase has made progress. */
export async function noteEmbedded(trx: Db, { id }: Attempt, model: string, ms: number): Promise<void> {
  await sql`update readings set tries = 0, embedding_ms = coalesce(embedding_ms, 0) + ${ms}, total = chunks, updated_at = now(),
    done = (select count(*) from chunks c join chunk_vectors v on v.chunk_id = c.id where c.reading_id = ${id} and v.model = ${model})
    where id = ${id}`.execute(trx)
}

export async function endEmbedding(
  trx: Db,
  { id }: Attempt,
  { model, indexing_ms }: { model: string; indexing_ms: number },
): Promise<void> {
  await sql`update readings set status = 'completed', embedding_model = ${model}, tries = 0, failure = null, updated_at = now(),
    embedding_ms = coalesce(embedding_ms, 0) + ${indexing_ms}
    where id = ${id}`.execute(trx)
}

/** Fails an attempt with a reason. Returns false when the attempt is obsolete or has ended. */
export async function failReading(db: Db, { id, attempt }: Attempt, failure: Failure): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('readings')
    .set({ status: 'failed', failure: toJson(failure), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', 'in', ['queued', 'in_progress'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Queues an ended reading again, from its failed phase or from the first. Null while it is in progress. */
export async function restart(trx: Db, id: string, from: 'first' | 'failed'): Promise<Attempt | null> {
  const { rows } = await sql<Attempt>`
    update readings set status = 'queued', attempt = attempt + 1, tries = 0, failure = null,
      phase = case when ${from === 'first'} then 'PARSING' else phase end, updated_at = now()
    where id = ${id} and status in ('completed', 'failed') returning id, attempt`.execute(trx)
  return rows[0] ?? null
}

/** Counts the queued and running readings of a user, at most `most`. */
export async function countUnderWay(db: Db, userId: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from readings
      where user_id = ${userId} and status in ('queued', 'in_progress') limit ${most}) as counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns readings in progress without updates since `before`. */
export async function listQuiet(
  db: Db,
  before: Date,
): Promise<(Attempt & { user_id: string; tries: number })[]> {
  const { rows } = await sql<Attempt & { user_id: string; tries: number }>`
    select id, attempt, user_id, tries from readings
    where status in ('queued', 'in_progress') and updated_at < ${before} order by updated_at limit 1000`.execute(
    db,
  )
  return rows
}

/** Returns the blob id of a reading. */
export async function blobOf(db: Db, readingId: string): Promise<string> {
  const row = await db
    .selectFrom('readings')
    .select('blob_id')
    .where('id', '=', readingId)
    .executeTakeFirstOrThrow()
  return row.blob_id
}

/** Takes completed readings without vectors because of their class, those that were checked longest ago first. */
export async function takeWordsOnly(
  db: Db,
  most: number,
  now: Date,
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    update readings set words_only_checked_at = ${now} where id in (
      select id from readings where words_only and status = 'completed'
      order by words_only_checked_at nulls first, id limit ${most})
    returning id, user_id`.execute(db)
  return rows
}

export async function endWordsOnly(trx: Db, id: string): Promise<void> {
  await sql`update readings set words_only = false where id = ${id}`.execute(trx)
}
