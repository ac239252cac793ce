import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/**
 * Returns the keys that no row refers to. Keys start with `blobs/` or `input/`, or with `readings/`, `uploads/`, `media/`, `interfaces/` or `exports/`
 * and an id.
 */
export async function listStray(db: Db, keys: string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) key where case split_part(key, '/', 1)
      when 'blobs' then not exists (select from blobs where file_key = key)
      when 'input' then not exists (select from input_files where file_key = key)
      when 'readings' then not exists (select from readings where id = split_part(key, '/', 2)::uuid)
      when 'media' then not exists (select from media where id = split_part(key, '/', 2)::uuid)
      when 'interfaces' then not exists (select from own_tool_interfaces where file_key = key)
      when 'exports' then not exists (select from exports where id = split_part(key, '/', 2)::uuid)
      when 'uploads' then not exists (select from uploads where id = split_part(key, '/', 2)::uuid)
        and not exists (select from imports where upload_id = split_part(key, '/', 2)::uuid and parts <> '{}')
      else false end
    order by key limit ${keys.length}`.execute(db)
  return rows.map(({ key }) => key)
}

/** Records when files were first seen as strays. Returns those seen before `before`. */
export async function noteStray(
  db: Db,
  keys: string[],
  { now, before }: { now: Date; before: Date },
): Promise<string[]> {
  await sql`
    insert into stray_files (file_key, seen_at) select key, ${now} from unnest(${keys}::text[]) key
    on conflict (file_key) do nothing`.execute(db)
  const { rows } = await sql<{ file_key: string }>`
    select file_key from stray_files where file_key = any(${keys}::text[]) and seen_at < ${before}
    order by file_key limit ${keys.length}`.execute(db)
  return rows.map(({ file_key }) => file_key)
}

/** Deletes the records of files that are gone or have a row now. */
export async function forgetStray(db: Db, keys: string[]): Promise<void> {
  await sql`delete from stray_files where file_key = any(${keys}::text[])`.execute(db)
}
