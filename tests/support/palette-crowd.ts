import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../src/server/platform/db/tables.ts'

const CHATS = 10_000
const DOCUMENTS = 5_000
const PROMPTS = 500

const subject = sql`(array['Review', 'Contract', 'Lease', 'Report', 'Matérialité', 'Tender', 'Audit'])[1 + n % 7]`
const about = sql`(array['Kessler', 'Lyon', 'Orsane', 'Paris', 'supplier', 'RSE', 'HVAC', 'quarter', 'Berlin', 'budget', 'travel'])[1 + n % 11]`

/** Stores 10,000 chats, 5,000 documents and 500 prompts of a person. */
export async function fillPalette(db: Kysely<Tables>, userId: string): Promise<void> {
  await sql`
    insert into sessions (user_id, title, status, updated_at)
    select ${userId}, ${subject} || ' ' || ${about} || ' ' || n, 'COMPLETED', now() - n * interval '1 hour'
    from generate_series(1, ${CHATS}::int) n`.execute(db)
  await sql`
    with blob as (
      insert into blobs (user_id, sha256, size, file_key)
      values (${userId}, sha256(${userId}::bytea), 1, 'blobs/' || ${userId}) returning id),
    reading as (
      insert into readings (blob_id, user_id, pipeline, name, status)
      select id, ${userId}, 'normal', 'a.txt', 'failed' from blob returning id)
    insert into documents (user_id, name, extension, size, reading_id, status)
    select ${userId}, ${about} || '_' || ${subject} || '-' || n || '.pdf', 'pdf', 1, reading.id, 'failed'
    from reading, generate_series(1, ${DOCUMENTS}::int) n`.execute(db)
  await sql`
    insert into prompts (user_id, name, command, text)
    select ${userId}, ${subject} || ' for ' || ${about}, 'prompt-' || n, 'Text'
    from generate_series(1, ${PROMPTS}::int) n`.execute(db)
}
