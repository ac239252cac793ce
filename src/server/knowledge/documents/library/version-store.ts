import { type Kysely, sql } from 'kysely'
import type { DocumentStatus, Pipeline } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { type DocumentRow, documentColumns } from './store.ts'

type Db = Kysely<Tables>

type VersionRow = {
  version: number
  name: string
  size: number
  created_at: Date
  pipeline: Pipeline
  status: DocumentStatus
  is_same_file: boolean
  is_in_use: boolean
}

/** Returns the versions of a document, the newest first, and the total. */
export async function listVersions(
  db: Db,
  documentId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: VersionRow[]; total: number }> {
  const { rows } = await sql<VersionRow & { total: number }>`
    select v.version, v.name, b.size, v.created_at, r.pipeline, r.status, v.version = d.version as is_in_use,
      coalesce(lag(r.blob_id) over (order by v.version) = r.blob_id, false) as is_same_file, count(*) over ()::int as total
    from documents d join document_versions v on v.document_id = d.id
    join readings r on r.id = v.reading_id join blobs b on b.id = r.blob_id
    where d.id = ${documentId} and is_version_shown(d, v.version) order by v.version desc limit ${limit} offset ${(page - 1) * limit}`.execute(
    db,
  )
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** Returns a document as it was in a version; null when it has no such version. */
export async function readVersion(db: Db, documentId: string, version: number): Promise<DocumentRow | null> {
  type Then = Pick<DocumentRow, 'name' | 'size' | 'version' | 'reading_id'>
  const { rows } = await sql<DocumentRow & { then: Then }>`
    select ${documentColumns}, json_build_object('name', v.name, 'size', b.size, 'version', v.version, 'reading_id', r.id) as then
    from documents d join document_versions v on v.document_id = d.id and v.version = ${version}
    join readings r on r.id = v.reading_id join blobs b on b.id = r.blob_id
    where d.id = ${documentId} and is_version_shown(d, v.version)`.execute(db)
  const [row] = rows
  if (!row) return null
  const { then, ...rest } = row
  return { ...rest, ...then, extension: extensionOf(then.name) }
}
