import { type Insertable, type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type NewMedia = Insertable<Tables['media']>

export async function insertMedia(trx: Db, media: NewMedia[]): Promise<void> {
  if (media.length > 0) await trx.insertInto('media').values(media).execute()
}

/** Where the bytes of a person's media stand; ids that are gone are missing. */
export async function listMedia(db: Db, userId: string, ids: string[]) {
  const { rows } = await sql<{ id: string; file_key: string }>`
    select id, file_key from media where user_id = ${userId} and id = any(${ids}::uuid[])
    order by id limit ${ids.length}`.execute(db)
  return rows
}

/** Deletes the media of a run whose names begin like this, and gives where their bytes stand. */
export async function deleteNamed(db: Db, runId: string, nameStart: string): Promise<string[]> {
  const { rows } = await sql<{ file_key: string }>`
    delete from media where run_id = ${runId} and starts_with(name, ${nameStart}) returning file_key`.execute(
    db,
  )
  return rows.map(({ file_key }) => file_key)
}
