import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/server/platform/db/tables.ts'

/** Creates a processed document with these texts as its passages, three per page, without an index. Returns its id. */
export async function aReadDocument(
  db: Kysely<Tables>,
  { userId, name, texts }: { userId: string; name: string; texts: readonly string[] },
): Promise<string> {
  const [blob, reading, document] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into blobs (id, user_id, sha256, size, file_key)
    values (${blob}, ${userId}, ${blob}, 1, ${`blobs/${blob}`})`.execute(db)
  await sql`insert into readings (id, blob_id, user_id, pipeline, name, status, phase, format, language, chunks)
    values (${reading}, ${blob}, ${userId}, 'normal', ${name}, 'completed', 'EMBEDDING', 'txt', 'en', ${texts.length})`.execute(
    db,
  )
  await sql`insert into documents (id, user_id, name, extension, size, reading_id, status, format, language)
    values (${document}, ${userId}, ${name}, 'txt', 1, ${reading}, 'completed', 'txt', 'en')`.execute(db)
  await sql`insert into document_versions (document_id, version, reading_id, name)
    values (${document}, 1, ${reading}, ${name})`.execute(db)
  await sql`insert into chunks (id, reading_id, position, element_id, type, text, place, page_number)
    select gen_random_uuid(), ${reading}, at - 1, 'e', 'NarrativeText', text, '{}', 1 + (at - 1) / 3
    from unnest(${[...texts]}::text[]) with ordinality as t (text, at)`.execute(db)
  return document
}
