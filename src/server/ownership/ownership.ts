import type { Kysely } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Tables } from '../db/tables.ts'

/**
 * The session, if it is this user's.
 * @throws AppError `not_found` for an unknown id, `forbidden` for another user's session
 */
export async function findOwnSession(db: Kysely<Tables>, userId: string, sessionId: string) {
  const session = await db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
  if (!session) throw new AppError('not_found', 'Session not found')
  if (session.user_id !== userId) throw new AppError('forbidden', 'You do not have access to this session.')
  return session
}
