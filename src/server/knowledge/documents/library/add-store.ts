import { type Kysely, sql } from 'kysely'
import type { Pipeline } from '#shared/knowledge/documents/documents.ts'
import type { TextEncoding } from '#shared/knowledge/documents/encodings.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Uploaded bytes that are in the file store. */
export type NewFile = { user_id: string; sha256: string; size: number; file_key: string }

/** Returns the user's blob with this hash, or inserts one. `isNew` is false when it already existed; the new bytes are then redundant. */
export async function keepBlob(trx: Db, file: NewFile): Promise<{ id: string; isNew: boolean }> {
  const inserted = await trx
    .insertInto('blobs')
    .values(file)
    .onConflict((conflict) => conflict.columns(['user_id', 'sha256']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return { id: inserted.id, isNew: true }
  const known = await trx
    .selectFrom('blobs')
    .select('id')
    .where('user_id', '=', file.user_id)
    .where('sha256', '=', file.sha256)
    .executeTakeFirstOrThrow()
  return { id: known.id, isNew: false }
}

/**
 * Returns the reading of these bytes by this pipeline and encoding, or inserts one. `begins` is true when nothing works on it yet, because
 * it is new or had failed.
 */
export async function findReading(
  trx: Db,
  {
    blob_id,
    user_id,
    pipeline,
    name,
    encoding = '',
  }: { blob_id: string; user_id: string; pipeline: Pipeline; name: string; encoding?: TextEncoding | '' },
): Promise<{ id: string; attempt: number; begins: boolean }> {
  const { rows } = await sql<{ id: string; attempt: number; begins: boolean }>`
    insert into readings (blob_id, user_id, pipeline, name, encoding)
    values (${blob_id}, ${user_id}, ${pipeline}, ${name}, ${encoding})
    on conflict (blob_id, pipeline, encoding) do update set
      attempt = readings.attempt + (readings.status = 'failed')::int,
      tries = case readings.status when 'failed' then 0 else readings.tries end,
      failure = case readings.status when 'failed' then null else readings.failure end,
      name = case readings.status when 'failed' then excluded.name else readings.name end,
      updated_at = now(),
      status = case readings.status when 'failed' then 'queued' else readings.status end
    returning id, attempt, status = 'queued' as begins`.execute(trx)
  return rows[0]!
}

export type NewDocument = {
  user_id: string
  name: string
  extension: string
  size: number
  reading_id: string
  parent_id: string | null
  /** As named by a program over the OpenAI wire. */
  purpose: string | null
  tags: string[]
  source_url: string | null
}

/** Inserts a document and its first version. Inner documents are of the connector of their parent. */
export async function insertDocument(trx: Db, document: NewDocument): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into documents (user_id, name, extension, size, reading_id, parent_id, purpose, company_id, connector_id, connector_item_id, deleted_at, tags, source_url, status, format, language)
    select ${document.user_id}, ${document.name}, ${document.extension}, ${document.size}, r.id, ${document.parent_id}, ${document.purpose},
      (select company_id from documents where id = ${document.parent_id}),
      (select connector_id from documents where id = ${document.parent_id}),
      (select connector_item_id from documents where id = ${document.parent_id}),
      (select deleted_at from documents where id = ${document.parent_id}),
      ${document.tags}::text[], ${document.source_url}, r.status, r.format, r.language
    from readings r where r.id = ${document.reading_id} returning id`.execute(trx)
  const { id } = rows[0]!
  await insertVersion(trx, {
    document_id: id,
    version: 1,
    reading_id: document.reading_id,
    name: document.name,
  })
  return id
}

async function insertVersion(
  trx: Db,
  version: { document_id: string; version: number; reading_id: string; name: string },
): Promise<void> {
  await trx.insertInto('document_versions').values(version).execute()
}

/** Shows another reading under the same id as a new version. Does nothing when the document shows that reading already. */
export async function showReading(
  trx: Db,
  documentId: string,
  {
    reading_id,
    name,
    size,
    extension,
  }: { reading_id: string; name: string; size: number; extension: string },
): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    update documents d set reading_id = r.id, name = ${name}, size = ${size}, extension = ${extension},
      version = d.version + 1, status = r.status, format = r.format, language = r.language, updated_at = now()
    from readings r where d.id = ${documentId} and r.id = ${reading_id} and d.reading_id <> r.id
    returning d.version`.execute(trx)
  const [row] = rows
  if (row) await insertVersion(trx, { document_id: documentId, version: row.version, reading_id, name })
}

/** Puts documents into a workspace. Its members read those that `addedBy` owns. */
export async function linkToWorkspace(
  trx: Db,
  workspaceId: string,
  ids: string[],
  addedBy: string,
): Promise<void> {
  await sql`
    insert into workspace_documents (workspace_id, document_id, added_by)
    select ${workspaceId}::uuid, d.id, ${addedBy}::uuid from documents d where d.id = any(${ids}::uuid[])
    on conflict (workspace_id, document_id) do update set added_by = excluded.added_by
      where excluded.added_by = (select user_id from documents where id = excluded.document_id)`.execute(trx)
}

export async function linkToSession(trx: Db, session_id: string, ids: string[]): Promise<void> {
  await trx
    .insertInto('session_documents')
    .values(ids.map((document_id) => ({ session_id, document_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unlinkFromSession(db: Db, session_id: string, document_id: string): Promise<void> {
  await db
    .deleteFrom('session_documents')
    .where('session_id', '=', session_id)
    .where('document_id', '=', document_id)
    .execute()
}

/** Returns the user's default workspace; creates it on first use. */
export async function defaultWorkspace(trx: Db, userId: string): Promise<string> {
  const find = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from workspaces where user_id = ${userId} and is_default`.execute(trx)
    return rows[0]?.id
  }
  const known = await find()
  if (known) return known
  await sql`
    insert into workspaces (user_id, name, is_default)
    select id, case language when 'fr' then 'Mes documents' else 'My documents' end, true from users where id = ${userId}
    on conflict (user_id) where is_default do nothing`.execute(trx)
  return (await find())!
}

/** Maximum depth of documents inside documents, because an archive may contain itself. */
export const INNER_DEPTH = 3

/** Number of ancestors of a document `d`. */
const depth = sql<number>`(
  with recursive above as (
    select d.parent_id as id, 0 as depth
    union all select p.parent_id, above.depth + 1 from above join documents p on p.id = above.id)
  select max(depth) from above)`

/** Returns the depth of the document that shows a reading; the smallest when several show it. */
export async function readDepth(db: Db, readingId: string): Promise<number> {
  const { rows } = await sql<{ depth: number | null }>`
    select min(${depth}) as depth from documents d where d.reading_id = ${readingId}`.execute(db)
  return rows[0]?.depth ?? 0
}

/** Returns the documents that show a reading and may contain others, with the names of their inner documents. */
export async function listShowing(db: Db, readingId: string): Promise<{ id: string; inner: string[] }[]> {
  const { rows } = await sql<{ id: string; inner: string[] }>`
    select d.id, array(select name from documents i where i.parent_id = d.id) as inner
    from documents d where d.reading_id = ${readingId} and ${depth} < ${INNER_DEPTH} order by d.id limit 1000`.execute(
    db,
  )
  return rows
}

/** Copies the inner documents of another document with the same reading. */
export async function copyInner(trx: Db, readingId: string, documentId: string): Promise<void> {
  const { rows } = await sql<{ id: string; reading_id: string }>`
    with source as (
      select id from documents where reading_id = ${readingId} and id <> ${documentId} order by created_at limit 1),
    copied as (
      insert into documents (user_id, name, extension, size, reading_id, parent_id, company_id, connector_id, connector_item_id, deleted_at, tags, status, format, language)
      select i.user_id, i.name, i.extension, i.size, i.reading_id, d.id, d.company_id, d.connector_id, d.connector_item_id, d.deleted_at, i.tags, i.status, i.format, i.language
      from documents i join source on i.parent_id = source.id
      join documents d on d.id = ${documentId} and ${depth} < ${INNER_DEPTH}
      returning id, reading_id, name),
    versioned as (
      insert into document_versions (document_id, version, reading_id, name) select id, 1, reading_id, name from copied)
    select id, reading_id from copied`.execute(trx)
  for (const inner of rows) await copyInner(trx, inner.reading_id, inner.id)
}
