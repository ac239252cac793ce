import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
/** The other people who read the replies of a chat. `outside`: senders of mails to an assistant, members of a channel, or a visitor. */
export type Readers = 'outside' | 'project' | null

/** Returns the other people who read the replies of a chat; null without any, or when the chat is gone. */
export async function findReaders(db: Db, sessionId: string): Promise<Readers> {
  const { rows } = await sql<{ readers: Readers }>`select case
      when s.visitor_id is not null
        or exists (select from mail_threads t where t.session_id = s.id)
        or exists (select from channel_threads t where t.session_id = s.id and not t.is_direct) then 'outside'
      when s.shared_with_project then 'project' end as readers
    from sessions s where s.id = ${sessionId}`.execute(db)
  return rows[0]?.readers ?? null
}

/** Returns whether a stored message has only words of the person whose chat it is in. */
export async function isWrittenByPerson(db: Db, messageId: string): Promise<boolean> {
  const { rows } = await sql`select from messages where id = ${messageId} and not is_by_others`.execute(db)
  return rows.length > 0
}
