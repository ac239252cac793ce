import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** Deleted items and the files they referenced. */
export type Taken = { items: number; files: { file_key: string; size: number }[] }

/** Returns the database time, which dates messages. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

/** Returns the chats without new messages and locks them until the commit. */
export async function lockQuiet(trx: Db, ids: string[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions s where id = any(${ids}::uuid[]) and not exists (
      select from messages m where m.session_id = s.id and m.role = 'user' and m.created_at >= ${since})
    order by id for update limit ${ids.length}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Deletes the records of files given as answers in these chats. */
export async function takeGivenFiles(trx: Db, chats: string[]): Promise<Taken['files']> {
  const { rows } = await sql<{ file_key: string; size: number }>`
    delete from input_files where run_id in (select id from runs where session_id = any(${chats}::uuid[]))
    returning file_key, size::float8 as size`.execute(trx)
  return rows
}

/** Deletes standalone tool runs with all their data. */
export async function takeToolRuns(trx: Db, ids: string[]): Promise<Taken> {
  const { rows: files } = await sql<{ file_key: string; size: number }>`
    select file_key, size::float8 as size from media where run_id in (
      select id from runs where id = any(${ids}::uuid[]) or parent_run_id = any(${ids}::uuid[]))`.execute(trx)
  await sql`update ledger_entries set run_id = null where run_id = any(${ids}::uuid[])`.execute(trx)
  const { numAffectedRows } =
    await sql`delete from runs where id = any(${ids}::uuid[]) and kind = 'tool'`.execute(trx)
  return { items: Number(numAffectedRows ?? 0), files }
}

/** Deletes the records of files made by tools or given as answers. */
export async function takeFiles(trx: Db, ids: string[]): Promise<Taken> {
  const { rows: files } = await sql<{ file_key: string; size: number }>`
    with made as (delete from media where id = any(${ids}::uuid[]) returning file_key, size::float8 as size),
      given as (delete from input_files where id = any(${ids}::uuid[]) returning file_key, size::float8 as size)
    select * from made union all select * from given`.execute(trx)
  return { items: files.length, files }
}

/** Returns whether a document is unchanged and locks it until the commit. */
export async function lockUnchanged(trx: Db, id: string, since: Date): Promise<boolean> {
  const { rows } =
    await sql`select from documents where id = ${id} and updated_at < ${since}::timestamptz + interval '1 millisecond' for update`.execute(
      trx,
    )
  return rows.length > 0
}

/** Deletes the oldest audit entries before a time. */
export async function takeAuditEntries(trx: Db, before: Date, most: number): Promise<Taken> {
  const { rows } = await sql<{ n: number }>`select drop_audit_entries(${before}, ${most})::int as n`.execute(
    trx,
  )
  return { items: rows[0]?.n ?? 0, files: [] }
}
