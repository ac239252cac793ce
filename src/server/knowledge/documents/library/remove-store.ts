import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/**
 * Locks the readings of a document and of what stands inside of it, and gives them. What changes a document does this first: jobs
 * lock a reading before the documents that show it, and of two deletions the second waits for the whole of the other.
 */
export async function lockReadings(trx: Db, documentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive family as (
      select id from documents where id = ${documentId}
      union all select d.id from documents d join family on d.parent_id = family.id)
    select id from readings where id in (
      select v.reading_id from document_versions v join family on family.id = v.document_id)
    order by id for update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Takes a document out of a workspace. Gives whether it is in another one still. */
export async function takeOutOf(trx: Db, workspace_id: string, document_id: string): Promise<boolean> {
  await trx
    .deleteFrom('workspace_documents')
    .where('workspace_id', '=', workspace_id)
    .where('document_id', '=', document_id)
    .execute()
  const left = await trx
    .selectFrom('workspace_documents')
    .select('workspace_id')
    .where('document_id', '=', document_id)
    .executeTakeFirst()
  return left !== undefined
}

/** What nobody shows any more: readings that were under way, and files that are removed once this is committed. */
export type Left = {
  readings: string[]
  files: { file_key: string; size: number }[]
  folders: { id: string; names: string[] }[]
}

/** Deletes a document and what stands inside of it, with those of its readings, and their bytes, that no other document shows. */
export async function deleteDocument(trx: Db, documentId: string, readings: string[]): Promise<Left> {
  await trx.deleteFrom('documents').where('id', '=', documentId).execute()
  return sweepReadings(trx, readings)
}

/** Of these readings those that no document ever shows, with their bytes. */
async function sweepReadings(trx: Db, ids: string[]): Promise<Left> {
  const { rows: readings } = await sql<{ id: string; blob_id: string; status: string; files: string[] }>`
    delete from readings r where id = any(${ids}::uuid[])
      and not exists (select from document_versions v where v.reading_id = r.id)
    returning id, blob_id, status, files`.execute(trx)
  const { rows: files } = await sql<{ file_key: string; size: number }>`
    delete from blobs b where id = any(${readings.map(({ blob_id }) => blob_id)}::uuid[])
      and not exists (select from readings r where r.blob_id = b.id)
    returning file_key, size::float8 as size`.execute(trx)
  return {
    readings: readings.filter(({ status }) => status !== 'completed').map(({ id }) => id),
    files,
    folders: readings.map(({ id, files }) => ({ id, names: files })),
  }
}
