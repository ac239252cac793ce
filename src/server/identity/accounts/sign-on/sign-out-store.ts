import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Session = { user_id: string; provider: string; hint_sealed: string; created_at: Date }

/** Stores a session at a sign-on service. Returns its id. */
export async function insertSession(db: Db, session: Session): Promise<string> {
  const query = db.insertInto('sign_on_sessions').values(session).returning('id')
  return (await query.executeTakeFirstOrThrow()).id
}

/** Returns the session at a sign-on service that a sign-in came through, or null. */
export async function findSession(
  db: Db,
  tokenHash: Buffer,
): Promise<Pick<Session, 'provider' | 'hint_sealed'> | null> {
  const row = await db
    .selectFrom('access_tokens')
    .innerJoin('sign_on_sessions', 'sign_on_sessions.id', 'access_tokens.sign_on_id')
    .select(['provider', 'hint_sealed'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row ?? null
}

/** Deletes sessions that no sign-in needs any more. A sign-in may take ten minutes to its end. */
export async function dropUnusedSessions(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 20 * 60_000)
  await sql`delete from sign_on_sessions s where created_at < ${before}
    and not exists (select from access_tokens t where t.sign_on_id = s.id)`.execute(db)
}
