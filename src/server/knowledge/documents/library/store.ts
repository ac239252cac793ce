import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DocumentSource } from '#shared/knowledge/documents/document-source.ts'
import type {
  DocumentPhase,
  DocumentStatus,
  Failure,
  Pipeline,
  Report,
} from '#shared/knowledge/documents/documents.ts'
import type { TextEncoding } from '#shared/knowledge/documents/encodings.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A document with its reading. */
export type DocumentRow = {
  id: string
  user_id: string
  company_id: string | null
  name: string
  extension: string
  size: number
  reading_id: string
  attempt: number
  version: number
  newest_version: number
  is_starred: boolean
  parent_id: string | null
  tags: string[]
  created_at: Date
  updated_at: Date
  workspace_ids: string[]
  pipeline: Pipeline
  /** Chosen by a user; empty when it is detected. */
  encoding: TextEncoding | ''
  status: DocumentStatus
  phase: Exclude<DocumentPhase, 'UPLOAD'>
  done: number
  total: number
  phase_began_at: Date | null
  embedding_ms: number | null
  format: string | null
  language: string | null
  failure: Failure | null
  facts: Record<string, string | number>
  report: Report | null
  files: string[]
  chunks: number
  parse_ms: number | null
  parts: number
  is_found_by_words: boolean
  /** Times inside are text. */
  source: DocumentSource | null
  /** Address of the file that was picked for it. */
  source_url: string | null
}

/** The columns of a `DocumentRow`, for documents `d` joined to readings `r`. */
export const documentColumns: RawBuilder<unknown> = sql`
  d.id, d.user_id, d.company_id, d.name, d.extension, d.size, d.reading_id, d.version, d.version as newest_version, d.is_starred, d.parent_id, d.tags, d.source_url,
  d.created_at, d.updated_at,
  coalesce((select array_agg(w.workspace_id order by w.added_at) from workspace_documents w where w.document_id = d.id), '{}')
    as workspace_ids,
  r.pipeline, r.encoding, r.attempt, r.status, r.phase, r.done, r.total, r.phase_began_at, r.embedding_ms, r.format, r.language, r.failure, r.facts, r.report, r.files,
  r.chunks, r.parse_ms, r.parts,
  (select json_build_object('connector_id', c.id, 'connector_name', c.name, 'path', i.path, 'url', i.url, 'owner', i.owner,
      'labels', i.labels, 'changed_at', i.changed_there)
    from connector_items i join connectors c on c.id = i.connector_id where i.id = d.connector_item_id) as source,
  r.status = 'completed' or (r.status = 'in_progress' and r.phase = 'EMBEDDING' and exists (
    select from indexed_readings i join collections c on c.id = i.collection_id
    where i.reading_id = r.id and i.attempt = r.attempt and i.chunks >= 0 and c.role = 'live')) as is_found_by_words`

export async function readDocument(db: Db, id: string): Promise<DocumentRow | null> {
  const { rows } = await sql<DocumentRow>`
    select ${documentColumns} from documents d join readings r on r.id = d.reading_id where d.id = ${id}`.execute(
    db,
  )
  return rows[0] ?? null
}

export async function readDocuments(db: Db, ids: string[]): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select ${documentColumns} from documents d join readings r on r.id = d.reading_id
    where d.id = any(${ids}::uuid[]) order by d.created_at, d.id limit ${ids.length}`.execute(db)
  return rows
}

export type Changes = {
  is_starred?: boolean | undefined
  name?: string | undefined
  tags?: string[] | undefined
}

export async function updateDocument(db: Db, id: string, changes: Changes, now: Date): Promise<void> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length === 0) return
  // Starring does not count as a change of the document.
  const isChange = 'name' in given || 'tags' in given
  await db
    .updateTable('documents')
    .set({ ...given, ...(isChange && { updated_at: now }) })
    .where('id', '=', id)
    .execute()
}

/** Shares a document and its inner documents with a company; null makes them private. */
export async function shareDocument(db: Db, id: string, companyId: string | null): Promise<void> {
  await sql`
    with recursive family as (
      select id from documents where id = ${id}
      union all select d.id from documents d join family on d.parent_id = family.id)
    update documents set company_id = ${companyId} where id in (select id from family)`.execute(db)
}

/** The file a version showed: its bytes, and the files made from it. */
export type StoredReading = {
  reading_id: string
  attempt: number
  file_key: string
  size: number
  name: string
  format: string | null
  files: string[]
}

/** Returns null when the document has no such version. */
export async function findStored(
  db: Db,
  documentId: string,
  version?: number,
): Promise<StoredReading | null> {
  const { rows } = await sql<StoredReading>`
    select r.id as reading_id, r.attempt, b.file_key, b.size, v.name, r.format, r.files
    from documents d
    join document_versions v on v.document_id = d.id and v.version = ${version ?? sql`d.version`}
    join readings r on r.id = v.reading_id
    join blobs b on b.id = r.blob_id
    where d.id = ${documentId} and is_version_shown(d, v.version)`.execute(db)
  return rows[0] ?? null
}
