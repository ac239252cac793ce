import { type Kysely, sql } from 'kysely'
import type { Pipeline } from '#shared/knowledge/documents/documents.ts'
import { toJson } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { NewFile } from './add-store.ts'

type Db = Kysely<Tables>

/** Returns the blobs of these bytes by hash, and inserts those that are new. Bytes with another key than their blob are redundant. */
export async function keepBlobs(
  trx: Db,
  userId: string,
  files: readonly Omit<NewFile, 'user_id'>[],
): Promise<Map<string, { id: string; file_key: string }>> {
  await sql`
    insert into blobs (user_id, sha256, size, file_key)
    select distinct on (g.sha256) ${userId}::uuid, g.sha256, g.size, g.file_key
    from jsonb_to_recordset(${toJson(files)}::jsonb) as g (sha256 text, size bigint, file_key text) order by g.sha256, g.file_key
    on conflict (user_id, sha256) do nothing`.execute(trx)
  const hashes = files.map(({ sha256 }) => sha256)
  const { rows } = await sql<{ id: string; sha256: string; file_key: string }>`
    select id, sha256, file_key from blobs where user_id = ${userId} and sha256 = any(${hashes}::text[])
    order by sha256 limit ${files.length}`.execute(trx)
  return new Map(rows.map(({ sha256, ...blob }) => [sha256, blob]))
}

/**
 * Returns the readings of these blobs by a pipeline, by blob, and inserts those that are new. `begins` is true when nothing works on it yet,
 * because it is new or had failed.
 */
export async function findReadings(
  trx: Db,
  { user_id, pipeline }: { user_id: string; pipeline: Pipeline },
  blobs: readonly { blob_id: string; name: string }[],
): Promise<Map<string, { id: string; attempt: number; begins: boolean }>> {
  const { rows } = await sql<{ blob_id: string; id: string; attempt: number; begins: boolean }>`
    insert into readings (blob_id, user_id, pipeline, name, encoding)
    select distinct on (g.blob_id) g.blob_id, ${user_id}::uuid, ${pipeline}, g.name, ''
    from jsonb_to_recordset(${toJson(blobs)}::jsonb) as g (blob_id uuid, name text) order by g.blob_id
    on conflict (blob_id, pipeline, encoding) do update set
      attempt = readings.attempt + (readings.status = 'failed')::int,
      tries = case readings.status when 'failed' then 0 else readings.tries end,
      failure = case readings.status when 'failed' then null else readings.failure end,
      name = case readings.status when 'failed' then excluded.name else readings.name end,
      updated_at = now(),
      status = case readings.status when 'failed' then 'queued' else readings.status end
    returning blob_id, id, attempt, status = 'queued' as begins`.execute(trx)
  return new Map(rows.map(({ blob_id, ...reading }) => [blob_id, reading]))
}

export type NewItemDocument = {
  connector_item_id: string
  reading_id: string
  name: string
  extension: string
  size: number
  tags: string[]
}

/** Inserts documents of the items of a connector with their first versions. Returns their ids by item. */
export async function insertItemDocuments(
  trx: Db,
  { user_id, connector_id }: { user_id: string; connector_id: string },
  documents: readonly NewItemDocument[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; connector_item_id: string }>`
    with added as (
      insert into documents (user_id, name, extension, size, reading_id, connector_id, connector_item_id, tags, status, format, language)
      select ${user_id}::uuid, g.name, g.extension, g.size, r.id, ${connector_id}::uuid, g.connector_item_id, g.tags, r.status, r.format, r.language
      from jsonb_to_recordset(${toJson(documents)}::jsonb)
        as g (connector_item_id uuid, reading_id uuid, name text, extension text, size bigint, tags text[])
        join readings r on r.id = g.reading_id order by g.connector_item_id
      returning id, connector_item_id, reading_id, name),
    versioned as (
      insert into document_versions (document_id, version, reading_id, name) select id, 1, reading_id, name from added)
    select id, connector_item_id from added`.execute(trx)
  return new Map(rows.map(({ id, connector_item_id }) => [connector_item_id, id]))
}
