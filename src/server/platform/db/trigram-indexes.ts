import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** Indexes that require `pg_trgm` (migrations/0027_search.sql, 0030_documents.sql). */
const indexes: Record<string, string> = {
  messages_short:
    'messages using gin (content gin_trgm_ops) with (gin_pending_list_limit = 512) where octet_length(content) <= 8192',
  documents_name: 'documents using gin (name gin_trgm_ops)',
}

/**
 * Creates missing indexes concurrently with writes, if `pg_trgm` was installed after the tables. One process does it. An index
 * left incomplete by `signal` is recreated by the next process.
 */
export async function makeTrigramIndexes(db: Db, signal: AbortSignal): Promise<void> {
  const missing = await findMissing(db)
  if (missing.length === 0) return
  await db.connection().execute(async (own) => {
    const { rows } = await sql<{ pid: number; is_mine: boolean }>`
      select pg_backend_pid() as pid, pg_try_advisory_lock(hashtext('atrium_trigrams')) as is_mine`.execute(
      own,
    )
    if (!rows[0]?.is_mine) return
    const { pid } = rows[0]
    const stop = () => void sql`select pg_cancel_backend(${pid})`.execute(db).catch(() => undefined)
    signal.addEventListener('abort', stop, { once: true })
    try {
      for (const name of await findMissing(own)) {
        signal.throwIfAborted()
        await sql`drop index concurrently if exists ${sql.id(name)}`.execute(own)
        await sql`create index concurrently ${sql.id(name)} on ${sql.raw(indexes[name] ?? '')}`.execute(own)
      }
    } finally {
      signal.removeEventListener('abort', stop)
      await sql`select pg_advisory_unlock(hashtext('atrium_trigrams'))`.execute(own)
    }
  })
}

/** Finds indexes that are missing or incomplete; none without the extension. */
async function findMissing(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${Object.keys(indexes)}::text[]) name
    where exists (select from pg_extension where extname = 'pg_trgm') and not exists (
      select from pg_index i where i.indexrelid = to_regclass(name) and i.indisvalid)
    order by name limit 10`.execute(db)
  return rows.map(({ name }) => name)
}
