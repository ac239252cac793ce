import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Speeds } from './speeds.ts'

/** Number of recently completed documents from which speeds are computed. */
const DOCUMENTS = 200

/** Returns the speeds by file format. */
export async function readSpeeds(db: Kysely<Tables>): Promise<Speeds> {
  type Row = { kind: string; largest: number; parsing: number; chunking: number; embedding: number }
  const { rows } = await sql<Row>`
    select format as kind, max(size)::float8 as largest, (sum(parse_ms) / sum(size))::float8 as parsing,
      (sum(chunking_ms) / sum(size))::float8 as chunking, (sum(embedding_ms) / sum(size))::float8 as embedding
    from (
      select r.format, r.parse_ms, r.chunking_ms, r.embedding_ms, b.size from readings r join blobs b on b.id = r.blob_id
      where r.status = 'completed' and r.format is not null and b.size > 0 and r.parse_ms is not null and r.chunking_ms is not null and r.embedding_ms is not null
      order by r.updated_at desc limit ${DOCUMENTS}) newest
    group by format order by kind limit ${DOCUMENTS}`.execute(db)
  return new Map(
    rows.map(({ kind, largest, parsing, chunking, embedding }) => [
      kind,
      { largest, PARSING: parsing, CHUNKING_ENRICHMENT: chunking, EMBEDDING: embedding },
    ]),
  )
}
