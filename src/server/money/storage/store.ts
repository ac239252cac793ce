import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/** First number of our advisory locks; 9 is the storage of a user. */
const lockClass = 9

/** Returns a user's stored bytes: sessions (counted as they grow), standalone tools, answer and tool files, tool interfaces and the library. */
export async function readStorage(db: Kysely<Tables>, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(stored_bytes) from sessions where user_id = ${userId}), 0)
      + coalesce((select sum(stored_bytes) from runs where user_id = ${userId} and kind = 'tool'), 0)
      + coalesce((select sum(size) from input_files where user_id = ${userId}), 0)
      + coalesce((select sum(size) from media where user_id = ${userId}), 0)
      + coalesce((select sum(file_size) from own_tool_interfaces i join own_tools t on t.id = i.tool_id where t.user_id = ${userId}), 0)
      + coalesce((select sum(size) from blobs where user_id = ${userId}), 0)
      + coalesce((select sum(stored_bytes) from readings where user_id = ${userId}), 0) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Returns the storage per person that the user's companies grant, in megabytes, the largest of them; null when none sets one. */
export async function readGrantedStorage(db: Kysely<Tables>, userId: string): Promise<number | null> {
  const { rows } = await sql<{ megabytes: number | null }>`
    select max(c.storage_mb) as megabytes from company_members m join companies c on c.id = m.company_id
    where m.user_id = ${userId}`.execute(db)
  return rows[0]?.megabytes ?? null
}

/** Locks the storage of a user until the transaction ends. */
export async function lockStorage(trx: Kysely<Tables>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${userId}))`.execute(trx)
}

/** Returns the size of a run with its sub-runs (journals and tool results), computed without reading the values. */
export function bytesOfRun(runId: string): RawBuilder<number> {
  const family = sql`(select ${runId}::uuid union all select id from runs where parent_run_id = ${runId})`
  return sql<number>`coalesce((select sum(pg_column_size(value)) from run_records where run_id in ${family}), 0)
    + coalesce((select sum(pg_column_size(result)) from tool_executions where run_id in ${family}), 0)`
}

/** Returns the update expression that adds to `sessions.stored_bytes`. */
export function grownBy(bytes: number | RawBuilder<number>): RawBuilder<number> {
  return sql<number>`stored_bytes + ${bytes}`
}
