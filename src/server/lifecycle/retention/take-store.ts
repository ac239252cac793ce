import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** What came out of the database, with the files it named. */
export type Taken = { items: number; files: { file_key: string; size: number }[] }

/** The time of the database, which says when messages came. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

/** Of these chats those in which nobody wrote since; nobody writes in them until the commit. */
export async function lockQuiet(trx: Db, ids: string[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions s where id = any(${ids}::uuid[]) and not exists (
      select from messages m where m.session_id = s.id and m.role = 'user' and m.created_at >= ${since})
    order by id for update limit ${ids.length}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Files that were given to what these chats asked. */
export async function takeGivenFiles(trx: Db, chats: string[]): Promise<Taken['files']> {
  const { rows } = await sql<{ file_key: string; size: number }>`
    delete from input_files where run_id in (select id from runs where session_id = any(${chats}::uuid[]))
    returning file_key, size::float8 as size`.execute(trx)
  return rows
}

/** Tools that were executed beside chats, with all that belongs to them. */
export async function takeToolRuns(trx: Db, ids: string[]): Promise<Taken> {
  const { rows: files } = await sql<{ file_key: string; size: number }>`
    select file_key, size::float8 as size from media where run_id in (
      select id from runs where id = any(${ids}::uuid[]) or parent_run_id = any(${ids}::uuid[]))`.execute(trx)
  await sql`update ledger_entries set run_id = null where run_id = any(${ids}::uuid[])`.execute(trx)
  const { numAffectedRows } =
    await sql`delete from runs where id = any(${ids}::uuid[]) and kind = 'tool'`.execute(trx)
  return { items: Number(numAffectedRows ?? 0), files }
}

/** Files that tools made, and those that were given to answers. */
export async function takeFiles(trx: Db, ids: string[]): Promise<Taken> {
  const { rows: files } = await sql<{ file_key: string; size: number }>`
    with made as (delete from media where id = any(${ids}::uuid[]) returning file_key, size::float8 as size),
      given as (delete from input_files where id = any(${ids}::uuid[]) returning file_key, size::float8 as size)
    select * from made union all select * from given`.execute(trx)
  return { items: files.length, files }
}

/** Whether a document is as it was; it stays so until the commit. */
export async function lockUnchanged(trx: Db, id: string, since: Date): Promise<boolean> {
  const { rows } =
    await sql`select from documents where id = ${id} and updated_at < ${since}::timestamptz + interval '1 millisecond' for update`.execute(
      trx,
    )
  return rows.length > 0
}

/** The oldest entries of the audit log, all of them from before a moment. */
export async function takeAuditEntries(trx: Db, before: Date, most: number): Promise<Taken> {
  const { rows } = await sql<{ n: number }>`select drop_audit_entries(${before}, ${most})::int as n`.execute(
    trx,
  )
  return { items: rows[0]?.n ?? 0, files: [] }
}
