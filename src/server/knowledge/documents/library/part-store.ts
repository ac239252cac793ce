import { type Kysely, sql } from 'kysely'
import type { Chunk, DocumentPart, ProcessingInfo, Report } from '#shared/knowledge/documents/documents.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Place } from '#shared/platform/place.ts'
import { withinBytes } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { CHUNKING } from './show.ts'

type Db = Kysely<Tables>

type Versioned = { version?: number | undefined }

/** Joins document `d` to the reading `r` that it shows, or showed in `version`. */
const readingOf = (documentId: string, version: number | undefined) => sql`
  documents d join document_versions v on v.document_id = d.id and v.version = ${version ?? sql`d.version`}
    and d.id = ${documentId} and is_version_shown(d, v.version) join readings r on r.id = v.reading_id`

/** Returns the parts `from` to `to` of the reading that a document shows, or showed in `version`, and the number of all its parts. */
export async function listParts(
  db: Db,
  documentId: string,
  { from, to, version }: { from: number; to: number } & Versioned,
) {
  const { rows } = await withinBytes(sql<DocumentPart>`
    select p.number, p.page, p.elements, p.words from ${readingOf(documentId, version)}
    join reading_parts p on p.reading_id = r.id
    where p.number between ${from} and ${to} order by p.number limit ${PARTS_MAX}`).execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select r.parts as total from ${readingOf(documentId, version)}`.execute(db)
  return { parts: rows, total_parts: counted[0]?.total ?? 0 }
}

/** Returns all elements of a reading; null when they exceed `most` bytes. */
export async function readFewElements(
  db: Db,
  readingId: string,
  most: number,
): Promise<DocumentPart['elements'] | null> {
  const { rows } = await sql<{ elements: DocumentPart['elements'] }>`
    select elements from reading_parts where reading_id = ${readingId}
      and (select sum(octet_length(elements::text)) from reading_parts where reading_id = ${readingId}) <= ${most}
    order by number limit ${most}`.execute(db)
  return rows.length > 0 ? rows.flatMap(({ elements }) => elements) : null
}

/** Maximum parts per response. */
const PARTS_MAX = 100

type ChunkRow = {
  id: string
  element_id: string
  type: string
  text: string
  heading_path: string[]
  stands: Place
  page_number: number | null
  is_embedded: boolean
}

const chunkColumns = sql`
  c.id, c.element_id, c.type, c.text, c.heading_path, c.place as stands, c.page_number, c.is_embedded`

/** Returns chunks of the reading that a document shows, in order, skipping the first `after`. */
export async function listChunks(
  db: Db,
  documentId: string,
  { after, limit }: { after: number; limit: number },
) {
  const { rows } = await withinBytes(sql<ChunkRow>`
    select ${chunkColumns} from documents d join chunks c on c.reading_id = d.reading_id
    where d.id = ${documentId} order by c.position limit ${limit} offset ${after}`).execute(db)
  return rows.map(showChunk)
}

/** Returns a chunk of any version of a document, with the newest version that has it; null when none has. */
export async function findChunk(db: Db, documentId: string, chunkId: string) {
  const { rows } = await sql<ChunkRow & { version: number }>`
    select ${chunkColumns}, v.version from documents d join document_versions v on v.document_id = d.id
      join chunks c on c.reading_id = v.reading_id
    where d.id = ${documentId} and c.id = ${chunkId} and is_version_shown(d, v.version) order by v.version desc limit 1`.execute(
    db,
  )
  const [row] = rows
  return row ? { ...showChunk(row), version: row.version } : null
}

export async function readProcessing(db: Db, documentId: string, { version }: Versioned = {}) {
  type Row = {
    pipeline: string
    embedding_model: string | null
    parse_ms: number | null
    chunking_ms: number | null
    embedding_ms: number | null
    chunks: number
    report: Report | null
  }
  const { rows } = await sql<Row>`
    select r.pipeline, r.embedding_model, r.parse_ms, r.chunking_ms, r.embedding_ms, r.chunks, r.report
    from ${readingOf(documentId, version)}`.execute(db)
  const row = rows[0]
  if (!row) throw new AppError('not_found', 'Document not found')
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)
  const processing_info: ProcessingInfo = {
    ...{
      processing_pipeline: row.pipeline,
      chunking_strategy: CHUNKING,
      embedding_model: row.embedding_model,
    },
    parse_time: seconds(row.parse_ms),
    chunking_time: seconds(row.chunking_ms),
    embedding_time: seconds(row.embedding_ms),
  }
  return { processing_info, total: row.chunks, report: row.report }
}

function showChunk(row: ChunkRow): Chunk {
  const start = row.stands.start ?? null
  return {
    ...{ id: row.id, element_id: row.element_id, type: row.type, text: row.text, content: row.text },
    ...{ heading_path: row.heading_path, place: row.stands, page_number: row.page_number },
    metadata: { timeline_position: start, start_time_from_meta: start, page_number: row.page_number },
    has_embeddings: row.is_embedded,
    chunk_size: row.text.length,
    ...{ certainty: null, distance: null },
  }
}
