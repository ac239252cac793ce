import { type Kysely, sql } from 'kysely'
import type { NotificationKind } from '#shared/lifecycle/notifications/kinds.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** Waiting mails of one person and kind. */
export type DueMails = {
  user_id: string
  kind: NotificationKind
  oldest: Date
  /** Earliest deadline of their questions; null without one. */
  deadline: Date | null
  /** Last mail of this kind; null without one. */
  last_sent: Date | null
  tries: number
}

/** Marks mails whose sending was interrupted. They may have been sent, so they are not sent again. */
export async function markInterrupted(db: Db, now: Date): Promise<void> {
  await sql`update notification_deliveries set state = 'unknown', changed_at = ${now} where state = 'sending'`.execute(
    db,
  )
}

/** Gives up waiting deliveries of notifications that were read, and mails to people who get none. */
export async function skipUnwanted(db: Db, now: Date): Promise<void> {
  await sql`update notification_deliveries d set state = 'skipped', changed_at = ${now}
    from notifications n, users u
    where d.state = 'waiting' and d.due_at <= ${now} and n.id = d.notification_id and u.id = d.user_id and (
      n.read_at is not null or u.deactivated_at is not null or not is_notified_by(d.user_id, d.kind, d.channel)
      or (d.channel = 'mail' and u.email_verified_at is null))`.execute(db)
}

/** Gives up all due mails, because there is no mail server. */
export async function skipMails(db: Db, now: Date): Promise<void> {
  await sql`update notification_deliveries set state = 'skipped', changed_at = ${now}
    where state = 'waiting' and channel = 'mail' and due_at <= ${now}`.execute(db)
}

/** Returns the people and kinds with due mails, those that wait longest first. */
export async function findDueMails(db: Db, now: Date, limit: number): Promise<DueMails[]> {
  const { rows } = await sql<DueMails>`
    select d.user_id, d.kind, min(d.created_at) as oldest, min(q.deadline) as deadline, max(d.tries) as tries,
      (select max(last.changed_at) from notification_deliveries last where last.user_id = d.user_id
        and last.kind = d.kind and last.channel = 'mail' and last.state in ('sent', 'unknown')) as last_sent
    from notification_deliveries d join notifications n on n.id = d.notification_id
      left join input_requests q on q.run_id = n.run_id and q.key = n.request_key and q.state = 'waiting'
    where d.state = 'waiting' and d.channel = 'mail' and d.due_at <= ${now}
    group by d.user_id, d.kind order by min(d.due_at), d.user_id, d.kind limit ${limit}`.execute(db)
  return rows
}

type Batch = { userId: string; kind: NotificationKind | null }

/** Lets the waiting mails of a person, of one kind or of all, wait until a time. */
export async function postpone(db: Db, { userId, kind }: Batch, until: Date): Promise<void> {
  await sql`update notification_deliveries set due_at = ${until} where user_id = ${userId} and channel = 'mail'
    and state = 'waiting' and (${kind}::text is null or kind = ${kind})`.execute(db)
}

/** Takes the waiting mails of a person whose notifications are unread, for one mail. Returns the ids of the notifications. */
export async function claimMails(
  db: Db,
  { userId, kind, mailId, now, limit }: Batch & { mailId: string; now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update notification_deliveries d set state = 'sending', mail_id = ${mailId}, tries = d.tries + 1, changed_at = ${now}
    where d.channel = 'mail' and d.notification_id in (
      select w.notification_id from notification_deliveries w join notifications n on n.id = w.notification_id
      where w.user_id = ${userId} and w.channel = 'mail' and w.state = 'waiting' and n.read_at is null
        and (${kind}::text is null or w.kind = ${kind})
      order by w.created_at, w.notification_id limit ${limit} for update of w skip locked)
    returning d.notification_id as id`.execute(db)
  return rows.map(({ id }) => id)
}

type Outcome = {
  state: 'waiting' | 'sent' | 'failed' | 'unknown' | 'skipped'
  said?: string | null
  due?: Date
  now: Date
}

/** Stores the outcome of a mail on all of its notifications. */
export async function settleMail(
  db: Db,
  mailId: string,
  { state, said = null, due, now }: Outcome,
): Promise<void> {
  await sql`update notification_deliveries set state = ${state}, said = ${said}, due_at = ${due ?? now}, changed_at = ${now}
    where mail_id = ${mailId} and state in ('sending', 'unknown')`.execute(db)
}

/**
 * Hands due notifications to webhooks, for people without a browser in use. The delivery to each webhook is written in the same
 * transaction. Returns their number.
 */
export async function handToWebhooks(trx: Db, now: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with handed as (
      update notification_deliveries d set state = 'sent', changed_at = ${now}
      where d.channel = 'webhook' and d.notification_id in (
        select w.notification_id from notification_deliveries w join notifications n on n.id = w.notification_id
          left join notification_settings own on own.user_id = w.user_id
        where w.channel = 'webhook' and w.state = 'waiting' and w.due_at <= ${now} and n.read_at is null
          and not (coalesce(own.only_away, true) and is_present(w.user_id, ${now}))
        order by w.due_at, w.notification_id limit ${limit} for update of w skip locked)
      returning d.notification_id)
    select tell_webhooks(n.user_id, 'notification.created', json_build_object('notification_id', n.id, 'kind', n.kind,
      'user_id', n.user_id, 'session_id', n.session_id, 'document_id', n.document_id, 'created_at', n.created_at))
    from notifications n join handed on handed.notification_id = n.id order by n.created_at, n.id`.execute(
    trx,
  )
  return rows.length
}
