import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type DatabaseFacts = { version: string; size_bytes: number; has_trigrams: boolean }

/** Returns PostgreSQL's version, the database size, and whether searching chats for rare words uses an index. */
export async function describeDatabase(db: Kysely<Tables>): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
      exists (select from pg_extension where extname = 'pg_trgm') as has_trigrams`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database says nothing of itself')
  return row
}

type Backup = { finished_at: Date; rows: number; files: number }

/** Returns the backup that finished last; undefined when none did. */
export async function findLastBackup(db: Kysely<Tables>): Promise<Backup | undefined> {
  const { rows } = await sql<Backup>`
    select finished_at, rows::int, files::int from backups order by finished_at desc limit 1`.execute(db)
  return rows[0]
}
