import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A mail that waits for its run. */
export type WaitingMail = {
  id: string
  assistant_id: string
  thread_id: string
  user_id: string
  sender: string
  subject: string
  body: string
  session_id: string | null
  /** Documents of its attachments, in their order. */
  files: string[]
}

/** Attachments are read first, for at most ten minutes. */
const hasReadFiles = sql<boolean>`(m.received_at < clock_timestamp() - interval '10 minutes' or not exists (
  select from assistant_mail_files f join documents d on d.id = f.document_id
  where f.assistant_id = m.assistant_id and f.foreign_id = m.foreign_id
    and d.status not in ('completed', 'failed') and d.deleted_at is null))`

/** Returns mails whose runs can start: the first of each thread that has no open one before it, those that wait longest first. */
export async function listWaiting(db: Db, limit: number): Promise<WaitingMail[]> {
  const { rows } = await sql<WaitingMail>`
    select m.id, m.assistant_id, m.thread_id, t.user_id, m.sender, m.subject, m.body, t.session_id,
      (select coalesce(jsonb_agg(f.document_id order by f.place), '[]') from assistant_mail_files f
        where f.assistant_id = m.assistant_id and f.foreign_id = m.foreign_id) as files
    from assistant_mails m join mail_threads t on t.id = m.thread_id
    where m.state = 'waiting' and m.due_at <= clock_timestamp() and ${hasReadFiles}
      and not exists (select from assistant_mails before where before.thread_id = m.thread_id
        and before.state in ('waiting', 'answering') and (before.received_at, before.id) < (m.received_at, m.id))
    order by m.due_at, m.id limit ${limit}`.execute(db)
  return rows
}

/** Locks a mail. Returns whether its run may start now. */
export async function lockWaiting(trx: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`select from assistant_mails where id = ${id} and state = 'waiting' for update`.execute(trx)
  return rows.length > 0
}

/** Marks a mail as being answered, in the transaction that starts the run. The chat has its text from then on. */
export async function markAnswering(
  trx: Db,
  { id, thread_id }: Pick<WaitingMail, 'id' | 'thread_id'>,
  messageId: string,
  sessionId: string,
): Promise<void> {
  await sql`update assistant_mails set state = 'answering', body = '', user_message_id = ${messageId},
    due_at = clock_timestamp() where id = ${id}`.execute(trx)
  await sql`update mail_threads set session_id = ${sessionId} where id = ${thread_id}`.execute(trx)
}

/** Lets a mail wait before the next attempt. */
export async function postponeMail(db: Db, id: string, seconds: number): Promise<void> {
  await sql`update assistant_mails set due_at = clock_timestamp() + ${seconds} * interval '1 second'
    where id = ${id}`.execute(db)
}

export async function failMail(db: Db, id: string, detail: string): Promise<void> {
  await sql`update assistant_mails set state = 'failed', body = '', detail = ${detail}
    where id = ${id} and state in ('waiting', 'answering')`.execute(db)
}

/** A mail whose run is over. `text` is null for a run without a reply. */
export type AnsweredMail = {
  id: string
  assistant_id: string
  foreign_id: string
  sender: string
  subject: string
  earlier: string[]
  tries: number
  text: string | null
}

/** Returns mails whose runs are over, those that wait longest first. A run that waits or is paused is not over. */
export async function listAnswered(db: Db, limit: number): Promise<AnsweredMail[]> {
  const { rows } = await sql<AnsweredMail>`
    select m.id, m.assistant_id, m.foreign_id, m.sender, m.subject, m.earlier, m.tries,
      case when r.state = 'completed' then reply.content end as text
    from assistant_mails m
      left join lateral (select state, message_id from runs
        where user_message_id = m.user_message_id and parent_run_id is null order by created_at, id limit 1) r on true
      left join messages reply on reply.id = r.message_id
    where m.state = 'answering' and m.due_at <= clock_timestamp()
      and coalesce(r.state, 'failed') in ('completed', 'failed', 'stopped')
    order by m.due_at, m.id limit ${limit}`.execute(db)
  return rows
}

/** Marks answers whose sending was interrupted. They may have left, so they are not sent again. */
export async function markInterrupted(db: Db): Promise<void> {
  await sql`update assistant_mails set state = 'unknown' where state = 'sending'`.execute(db)
}

/** Takes an answer for sending, if its assistant still answers the person's mails. Returns the address; null otherwise. */
export async function claimAnswer(db: Db, id: string): Promise<{ token: string } | null> {
  const { rows } = await sql<{ token: string }>`
    update assistant_mails m set state = 'sending', tries = m.tries + 1
    from mail_threads t, assistant_addresses a
    where m.id = ${id} and m.state = 'answering' and t.id = m.thread_id and a.assistant_id = m.assistant_id
      and a.is_on and a.user_id = t.user_id
    returning a.token`.execute(db)
  return rows[0] ?? null
}

type Outcome = {
  state: 'answering' | 'answered' | 'failed' | 'unknown'
  detail?: string | null
  waits?: number
}

export async function settleAnswer(db: Db, id: string, { state, detail = null, waits = 0 }: Outcome) {
  await sql`update assistant_mails set state = ${state}, detail = ${detail},
    due_at = clock_timestamp() + ${waits} * interval '1 second' where id = ${id} and state in ('sending', 'unknown')`.execute(
    db,
  )
}
