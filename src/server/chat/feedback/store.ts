import type { Kysely } from 'kysely'
import type { Feedback } from '#shared/chat/feedback/feedback.ts'
import type { Tables } from '../../platform/db/tables.ts'

const LISTED_MOST = 1_000

/** Returns a user's feedback in a session, newest first. */
export async function listOf(db: Kysely<Tables>, userId: string, sessionId: string): Promise<Feedback[]> {
  return db
    .selectFrom('feedback as f')
    .innerJoin('messages as m', 'm.id', 'f.message_id')
    .select(['f.message_id', 'f.rating', 'f.reason', 'f.comment', 'f.is_shown'])
    .where('m.session_id', '=', sessionId)
    .where('f.user_id', '=', userId)
    .orderBy('f.changed_at', 'desc')
    .limit(LISTED_MOST)
    .execute()
}

/** Stores feedback with the passages that the reply cites. */
export async function storeFeedback(
  db: Kysely<Tables>,
  user_id: string,
  { message_id, ...judged }: Feedback,
  chunk_ids: string[],
): Promise<void> {
  const kept = { ...judged, chunk_ids, changed_at: new Date() }
  await db
    .insertInto('feedback')
    .values({ message_id, user_id, ...kept })
    .onConflict((conflict) => conflict.columns(['message_id', 'user_id']).doUpdateSet(kept))
    .execute()
}

export async function deleteFeedback(db: Kysely<Tables>, userId: string, messageId: string): Promise<void> {
  await db.deleteFrom('feedback').where('message_id', '=', messageId).where('user_id', '=', userId).execute()
}
