import { type Kysely, sql } from 'kysely'
import { cleanLabel } from '#shared/platform/labels.ts'
import { chunkIdOf } from '../../../knowledge/documents/documents.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { ForeignDocument, ForeignPassage } from '../readers/foreign.ts'
import { findThings, type Origin } from './thing-store.ts'

type Db = Kysely<Tables>

/** Returns the newest version number of a document that is not in the trash; 0 without one. */
export async function countVersions(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('documents')
    .select('version')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Returns the reading that a document shows. */
export async function readReading(trx: Db, id: string): Promise<string> {
  const row = await trx
    .selectFrom('documents')
    .select('reading_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.reading_id
}

const [MAX_TAGS, MAX_TAG] = [50, 200]

export async function setDocumentFacts(
  trx: Db,
  id: string,
  { tags, isStarred, at }: Pick<ForeignDocument, 'tags' | 'isStarred' | 'at'>,
): Promise<void> {
  const clean = tags.map((tag) => cleanLabel(tag).trim().slice(0, MAX_TAG)).filter((tag) => tag !== '')
  await sql`
    update documents set tags = ${[...new Set(clean)].slice(0, MAX_TAGS)}::text[], is_starred = ${isStarred},
      created_at = least(coalesce(${at}::timestamptz, created_at), created_at)
    where id = ${id}`.execute(trx)
}

/** A passage in this installation. */
export type Restored = { id: string; document: string }

/** Returns the passages of imported documents, by their ids in the archive. Reading a document again makes the same passages. */
export async function findPassages(
  db: Db,
  origin: Origin,
  passages: readonly ForeignPassage[],
): Promise<Map<string, Restored>> {
  const files = passages.map(({ document }) => `document/${document}`)
  const documents = await findThings(db, origin, 'file', [...new Set(files)])
  const versions = passages.map(({ document, version }) => `document/${document}/${version}`)
  const readings = await findThings(db, origin, 'version', [...new Set(versions)])
  return new Map(
    passages.flatMap(({ id, position, text }, at) => {
      const document = documents.get(files[at] as string)
      const reading = readings.get(versions[at] as string)
      return document && reading ? [[id, { id: chunkIdOf(reading, position, text), document }]] : []
    }),
  )
}
