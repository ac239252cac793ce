import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

/** Returns the draft content that a user's chat tries. */
export function findTriedContent(db: Kysely<Tables>, userId: string, sessionId: string) {
  return db
    .selectFrom('assistant_tries')
    .select(['assistant_id', 'content'])
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}
