import { type Kysely, sql } from 'kysely'
import { ASSISTANT_MAIL_DAYS, MAX_REFUSED_MAILS } from '#shared/chat/assistant-mails/assistant-mails.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export async function isKnownMail(db: Db, assistantId: string, mailId: string): Promise<boolean> {
  const { rows } = await sql`select from assistant_mails
    where assistant_id = ${assistantId} and foreign_id = ${mailId} and state <> 'refused' limit 1`.execute(db)
  return rows.length > 0
}

/** Returns how many mails of an assistant, or of one thread, were accepted in the last hour. */
export async function countOfHour(db: Db, assistantId: string, threadId: string | null): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from assistant_mails
    where assistant_id = ${assistantId} and state <> 'refused' and (${threadId}::uuid is null or thread_id = ${threadId})
      and received_at > clock_timestamp() - interval '1 hour'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Mails of one sender to an assistant that a mail answers, by their Message-IDs or by the ids of the answers. */
type Thread = { assistantId: string; userId: string; sender: string; earlier: string[]; domain: string }

/** Returns the thread of the mails before; null for a mail that begins one. */
export async function findThread(db: Db, of: Thread): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select t.id from mail_threads t join assistant_mails m on m.thread_id = t.id
    where t.assistant_id = ${of.assistantId} and t.user_id = ${of.userId} and t.sender = ${of.sender}
      and (m.foreign_id = any(${of.earlier}::text[]) or m.id::text || '@' || ${of.domain} = any(${of.earlier}::text[]))
    order by m.received_at desc, m.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export async function insertThread(trx: Db, of: Thread): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into mail_threads (assistant_id, user_id, sender)
    values (${of.assistantId}, ${of.userId}, ${of.sender}) returning id`.execute(trx)
  return rows[0]!.id
}

export type NewMail = {
  assistant_id: string
  thread_id: string
  foreign_id: string
  sender: string
  subject: string
  body: string
  earlier: string[]
}

export async function insertMail(trx: Db, mail: NewMail): Promise<void> {
  await sql`insert into assistant_mails (assistant_id, thread_id, foreign_id, sender, subject, body, earlier, state)
    values (${mail.assistant_id}, ${mail.thread_id}, ${mail.foreign_id}, ${mail.sender}, ${mail.subject}, ${mail.body},
      ${mail.earlier}::text[], 'waiting') on conflict do nothing`.execute(trx)
}

type RefusedMail = Pick<NewMail, 'assistant_id' | 'foreign_id' | 'sender' | 'subject'> & { detail: string }

/** Logs a refused mail without its text. Only the newest ones of an assistant are stored. */
export async function insertRefusedMail(db: Db, mail: RefusedMail): Promise<void> {
  await sql`insert into assistant_mails (assistant_id, foreign_id, sender, subject, state, detail)
    select assistant_id, ${mail.foreign_id}, ${mail.sender}, ${mail.subject}, 'refused', ${mail.detail}
    from assistant_addresses where assistant_id = ${mail.assistant_id}`.execute(db)
  await sql`delete from assistant_mails where id in (
    select id from assistant_mails where assistant_id = ${mail.assistant_id} and state = 'refused'
    order by received_at desc, id limit 1000 offset ${MAX_REFUSED_MAILS})`.execute(db)
}

/** Returns the places of the attachments of a mail that are documents already. */
export async function listKnownFiles(db: Db, assistantId: string, mailId: string): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`select place from assistant_mail_files
    where assistant_id = ${assistantId} and foreign_id = ${mailId} order by place limit 1000`.execute(db)
  return new Set(rows.map(({ place }) => place))
}

type NewMailFile = { assistant_id: string; foreign_id: string; place: number; document_id: string }

/** Notes the document of an attachment. Returns false when another process noted one. */
export async function insertMailFile(trx: Db, row: NewMailFile): Promise<boolean> {
  const { rows } = await sql`insert into assistant_mail_files (assistant_id, foreign_id, place, document_id)
    values (${row.assistant_id}, ${row.foreign_id}, ${row.place}, ${row.document_id})
    on conflict do nothing returning place`.execute(trx)
  return rows.length > 0
}

/** Deletes a batch of old mails and of threads whose chats are gone. Chats and documents stay. */
export async function removeOldMails(db: Db): Promise<void> {
  await sql`delete from assistant_mails where id in (
    select id from assistant_mails where received_at < clock_timestamp() - ${ASSISTANT_MAIL_DAYS} * interval '1 day'
      and state not in ('waiting', 'answering', 'sending')
    order by received_at, id limit 10000)`.execute(db)
  await sql`delete from mail_threads where id in (
    select t.id from mail_threads t where not exists (select from assistant_mails m where m.thread_id = t.id)
    order by t.created_at, t.id limit 10000)`.execute(db)
  await sql`delete from assistant_mail_files where (assistant_id, foreign_id, place) in (
    select f.assistant_id, f.foreign_id, f.place from assistant_mail_files f
    where f.created_at < clock_timestamp() - ${ASSISTANT_MAIL_DAYS} * interval '1 day'
    order by f.created_at limit 10000)`.execute(db)
}
