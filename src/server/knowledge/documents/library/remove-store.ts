import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/**
 * Locks the readings of a document and of its inner documents, and returns their ids. Every change of a document locks them first: jobs
 * lock a reading before the documents that show it, and concurrent deletions must not interleave.
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

/** Returns whether a workspace other than this one contains a document. */
export async function isElsewhere(trx: Db, workspace_id: string, document_id: string): Promise<boolean> {
  const other = await trx
    .selectFrom('workspace_documents')
    .select('workspace_id')
    .where('document_id', '=', document_id)
    .where('workspace_id', '<>', workspace_id)
    .executeTakeFirst()
  return other !== undefined
}

/** Removes a document from a workspace. */
export async function takeOutOf(trx: Db, workspace_id: string, document_id: string): Promise<void> {
  await trx
    .deleteFrom('workspace_documents')
    .where('workspace_id', '=', workspace_id)
    .where('document_id', '=', document_id)
    .execute()
}

/** Leftovers of a deletion: readings that were in progress, and files to remove after the commit. */
export type Left = {
  readings: string[]
  files: { file_key: string; size: number }[]
  folders: { id: string; names: string[] }[]
}

/** Deletes a document and its inner documents, with the readings and blobs that no other document shows. */
export async function deleteDocument(trx: Db, documentId: string, readings: string[]): Promise<Left> {
  await trx.deleteFrom('documents').where('id', '=', documentId).execute()
  return sweepReadings(trx, readings)
}

/** Deletes those of the readings that no document version shows, and their blobs. */
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
