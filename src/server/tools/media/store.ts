import { type Insertable, type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type NewMedia = Insertable<Tables['media']>

export async function insertMedia(trx: Db, media: NewMedia[]): Promise<void> {
  if (media.length > 0) await trx.insertInto('media').values(media).execute()
}

/** Returns the storage keys of a person's media; missing ids are omitted. */
export async function listMedia(db: Db, userId: string, ids: string[]) {
  const { rows } = await sql<{ id: string; file_key: string }>`
    select id, file_key from media where user_id = ${userId} and id = any(${ids}::uuid[])
    order by id limit ${ids.length}`.execute(db)
  return rows
}

/** Deletes a run's media whose names have this prefix, and returns their storage keys. */
export async function deleteNamed(db: Db, runId: string, nameStart: string): Promise<string[]> {
  const { rows } = await sql<{ file_key: string }>`
    delete from media where run_id = ${runId} and starts_with(name, ${nameStart}) returning file_key`.execute(
    db,
  )
  return rows.map(({ file_key }) => file_key)
}
