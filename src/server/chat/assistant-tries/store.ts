import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { TRY_DAYS } from '#shared/chat/assistant-tries/assistant-tries.ts'
import type { AssistantContent } from '#shared/chat/assistants/versions.ts'
import { toJson } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'

type Db = Kysely<Tables>
/** The user and assistant of a try; null for an assistant that was never saved. */
export type Try = { userId: string; assistantId: string | null }

/** Stores the content of a try and returns its chat, creating it if needed. Concurrent calls get the same chat. */
export async function keepTry(
  db: Db,
  { userId, assistantId }: Try,
  content: AssistantContent,
  now: Date,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    const changed = { content: toJson(content), updated_at: now }
    const kept = await findTry(trx, { userId, assistantId })
    if (kept) {
      await trx.updateTable('assistant_tries').set(changed).where('session_id', '=', kept).execute()
      return kept
    }
    const session = { id: randomUUID(), user_id: userId, origin: 'try' as const, title: content.name }
    const metadata = toJson({ is_try: true, ...(assistantId && { assistant_id: assistantId }) })
    await trx
      .insertInto('sessions')
      .values({ ...session, title_source: 'user', session_metadata: metadata })
      .execute()
    await trx
      .insertInto('assistant_tries')
      .values({ session_id: session.id, user_id: userId, assistant_id: assistantId, ...changed })
      .execute()
    return session.id
  })
}

/** Returns the chat of a try, or null. */
export async function findTry(db: Db, { userId, assistantId }: Try): Promise<string | null> {
  const { rows } = await sql<{ session_id: string }>`select session_id from assistant_tries
    where user_id = ${userId} and assistant_id is not distinct from ${assistantId}::uuid`.execute(db)
  return rows[0]?.session_id ?? null
}

/** Removes abandoned tries. */
export async function removeOldTries({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - TRY_DAYS * 86_400_000)
  await sql`delete from sessions where id in (
    select session_id from assistant_tries t where updated_at < ${before} and not is_held(t.user_id, null)
      and not exists (select from runs r where r.session_id = t.session_id and r.state in ('queued', 'running', 'waiting', 'paused'))
    order by updated_at limit 1000)`.execute(db)
}
