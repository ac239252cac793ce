import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type PassageToEmbed = { id: string; text: string; heading_path: string[] }

/** Returns passages of a reading without a vector of this model, in order. */
export async function passagesToEmbed(
  db: Db,
  readingId: string,
  model: string,
  limit: number,
): Promise<PassageToEmbed[]> {
  const { rows } = await sql<PassageToEmbed>`
    select c.id, c.text, c.heading_path from chunks c
    where c.reading_id = ${readingId}
      and not exists (select from chunk_vectors v where v.chunk_id = c.id and v.model = ${model})
    order by c.position limit ${limit}`.execute(db)
  return rows
}

/** Stores vectors, except those of passages deleted meanwhile. */
export async function insertVectors(
  db: Db,
  model: string,
  vectors: readonly { chunk_id: string; vector: Buffer }[],
): Promise<void> {
  await sql`
    with given as (
      select c.id, g.vector from unnest(${vectors.map(({ chunk_id }) => chunk_id)}::uuid[],
        ${vectors.map(({ vector }) => vector)}::bytea[]) as g (id, vector) join chunks c using (id)
      order by c.id for update of c),
    stored as (
      insert into chunk_vectors (chunk_id, model, vector) select id, ${model}, vector from given
      on conflict (chunk_id, model) do update set vector = excluded.vector)
    update chunks c set is_embedded = true from given where c.id = given.id and not c.is_embedded`.execute(db)
}

/** Returns vectors of a model by passage id. */
export async function readVectors(
  db: Db,
  model: string,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  const { rows } = await sql<{ chunk_id: string; vector: Buffer }>`
    select chunk_id, vector from chunk_vectors where model = ${model} and chunk_id = any(${[...ids]}::uuid[])
    order by chunk_id limit ${ids.length}`.execute(db)
  return new Map(rows.map(({ chunk_id, vector }) => [chunk_id, vector]))
}

/** Notes that a reading is found by words only, because the model may not receive its class. */
export async function noteWordsOnly(db: Kysely<Tables>, readingId: string): Promise<void> {
  await sql`update readings set words_only = true where id = ${readingId} and not words_only`.execute(db)
}
