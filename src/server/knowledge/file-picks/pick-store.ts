import { type Kysely, sql } from 'kysely'
import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type PickRow = {
  id: string
  user_id: string
  way: string
  settings: Settings
  sealed: string | null
  outcome: 'refused' | 'failed' | null
  picked: string[]
}

const columns = sql`id, user_id, way, settings, sealed, outcome, picked`

type NewPick = Pick<PickRow, 'user_id' | 'way' | 'settings' | 'sealed'> & { until: Date }

/** Stores a pick, and removes the older ones of the person above `keep`. */
export async function insertPick(
  db: Db,
  { user_id, way, settings, sealed, until }: NewPick,
  keep: number,
): Promise<PickRow> {
  await sql`delete from file_picks where id in (
    select id from file_picks where user_id = ${user_id} order by until desc, id limit 1000 offset ${keep - 1})`.execute(
    db,
  )
  const { rows } = await sql<PickRow>`insert into file_picks (user_id, way, settings, sealed, until)
    values (${user_id}, ${way}, ${toJson(settings)}::jsonb, ${sealed}, ${until}) returning ${columns}`.execute(
    db,
  )
  return rows[0]!
}

/** Returns a pick of a person that is not over. */
export async function findPick(db: Db, userId: string, id: string, now: Date): Promise<PickRow | null> {
  const { rows } = await sql<PickRow>`select ${columns} from file_picks
    where id = ${id} and user_id = ${userId} and until > ${now}`.execute(db)
  return rows[0] ?? null
}

/** Stores the sign-in of a pick with the files that were picked on its page. */
export async function writeSignIn(db: Db, id: string, sealed: string, picked: string[]): Promise<void> {
  await sql`update file_picks set sealed = ${sealed}, picked = ${picked}::text[], outcome = null where id = ${id}`.execute(
    db,
  )
}

export async function writeOutcome(db: Db, id: string, outcome: 'refused' | 'failed'): Promise<void> {
  await sql`update file_picks set outcome = ${outcome} where id = ${id} and sealed is null`.execute(db)
}

/** Locks a pick, and returns the document that a file of it became in a chat; null before. */
export async function lockTaken(trx: Db, id: string, key: string): Promise<string | null> {
  const { rows } = await sql<{ document: string | null }>`
    select taken ->> ${key} as document from file_picks where id = ${id} for update`.execute(trx)
  return rows[0]?.document ?? null
}

export async function noteTaken(trx: Db, id: string, key: string, documentId: string): Promise<void> {
  await sql`update file_picks set taken = taken || jsonb_build_object(${key}::text, ${documentId}::text)
    where id = ${id}`.execute(trx)
}

export async function deletePick(db: Db, userId: string, id: string): Promise<void> {
  await sql`delete from file_picks where id = ${id} and user_id = ${userId}`.execute(db)
}

export async function deleteOver(db: Db, now: Date): Promise<void> {
  await sql`delete from file_picks where id in (
    select id from file_picks where until <= ${now} order by until, id limit 10000)`.execute(db)
}
