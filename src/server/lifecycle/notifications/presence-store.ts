import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Stores that a browser of the person is in use, and removes those that no longer count. */
export async function notePresence(db: Db, userId: string, browserId: string, now: Date): Promise<void> {
  await sql`insert into user_presence (user_id, browser_id, seen_at) values (${userId}, ${browserId}, ${now})
    on conflict (user_id, browser_id) do update set seen_at = greatest(user_presence.seen_at, excluded.seen_at)`.execute(
    db,
  )
}

/** Stores that a browser of the person is not in use. */
export async function noteAbsence(db: Db, userId: string, browserId: string): Promise<void> {
  await sql`delete from user_presence where user_id = ${userId} and browser_id = ${browserId}`.execute(db)
}

/** Returns whether any browser of the person was in use in the last minute. */
export async function isPresent(db: Db, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select is_present(${userId}, ${now}) as is`.execute(db)
  return rows[0]?.is ?? false
}

/** Deletes what is older than an hour. */
export async function removeOldPresence(db: Db, now: Date): Promise<void> {
  await sql`delete from user_presence where seen_at < ${new Date(now.getTime() - 3_600_000)}`.execute(db)
}
