import type pg from 'pg'
import type { FileStore } from '../../platform/files/files.ts'

/**
 * Marks the database as being restored, before anything else is written. The commit of the rows removes the mark, so a killed
 * restore can be detected (`refuseHalfRestored` in `server/platform/db`).
 * `isNew`: there were no tables before.
 */
export async function markRestore(client: pg.ClientBase, { isNew }: { isNew: boolean }): Promise<void> {
  await client.query(`create table public.unfinished_restore as select ${isNew} as is_new`)
}

export async function unmarkRestore(client: pg.ClientBase): Promise<void> {
  await client.query('drop table if exists public.unfinished_restore')
}

/**
 * Removes the remains of an unfinished restore: its files, and the tables if it created them. Does nothing without one. The
 * file store was empty at its start and no server starts on a marked database, so all files belong to it.
 */
export async function undoRestore(client: pg.ClientBase, files: FileStore): Promise<void> {
  const { rows: found } = await client.query(
    "select to_regclass('public.unfinished_restore') is not null as is_there",
  )
  if (!found[0]?.is_there) return
  const { rows } = await client.query<{ is_new: boolean }>('select is_new from public.unfinished_restore')
  for await (const key of files.list()) await files.remove(key)
  if (rows[0]?.is_new) await dropAll(client)
  else await unmarkRestore(client)
}

/** Drops all tables and functions in `public` outside of extensions. Migrations create nothing else there. */
async function dropAll(client: pg.ClientBase): Promise<void> {
  await client.query(`do $$
    declare one text;
    begin
      for one in
        select format('drop table if exists public.%I cascade', relname) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not exists (
          select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
      loop execute one; end loop;
      for one in
        select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
        where pronamespace = 'public'::regnamespace and not exists (
          select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
      loop execute one; end loop;
    end $$`)
}
