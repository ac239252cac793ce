import type { Insertable, Kysely } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

export type CopiedMessage = Omit<Insertable<Tables['messages']>, 'session_id' | 'id' | 'content'> & {
  id: string
  content: string
}
type NewSession = Pick<Insertable<Tables['sessions']>, 'user_id' | 'title' | 'preview' | 'stored_bytes'> & {
  id: string
}

/** Messages per insert statement. */
const AT_ONCE = 200

/** Inserts a chat with copied messages and activates the last one. */
export async function insertCopy(
  trx: Kysely<Tables>,
  session: NewSession,
  messages: CopiedMessage[],
): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({
      ...session,
      ...{ title_source: 'user', status: 'COMPLETED', session_metadata: '{"agent_type": "multi_turn"}' },
    })
    .execute()
  for (let at = 0; at < messages.length; at += AT_ONCE) {
    const rows = messages.slice(at, at + AT_ONCE).map((message) => ({ ...message, session_id: session.id }))
    await trx.insertInto('messages').values(rows).execute()
  }
  const active_leaf = messages.at(-1)?.id ?? null
  await trx.updateTable('sessions').set({ active_leaf }).where('id', '=', session.id).execute()
}
