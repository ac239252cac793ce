import { type Kysely, sql } from 'kysely'
import type { EventRule } from '#shared/chat/schedules/rule.ts'
import { DELIVERY_DAYS } from '#shared/chat/schedules/triggers.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** A schedule that starts on mails to its address. */
export type MailTarget = {
  id: string
  user_id: string
  state: 'on' | 'paused' | 'stopped' | 'ended'
  rule: Extract<EventRule, { kind: 'mail' }>
  /** Verified address of the owner; null without one. */
  owner_address: string | null
  /** False when the owner's account is deactivated. */
  is_active: boolean
}

const target = sql`select c.id, c.user_id, c.state, c.rule, u.deactivated_at is null as is_active,
    case when u.email_verified_at is not null then lower(u.email) end as owner_address
  from schedules c join users u on u.id = c.user_id where c.kind = 'prompt' and c.rule ->> 'kind' = 'mail'`

/** Returns the schedule whose address has a token. */
export async function findByToken(db: Db, token: string): Promise<MailTarget | null> {
  const { rows } = await sql<MailTarget>`${target} and c.mail_token = ${token}`.execute(db)
  return rows[0] ?? null
}

/** Locks the schedule, so that deliveries are accepted one after another, and returns it; null when it no longer starts on mails. */
export async function lockMailTarget(trx: Db, id: string): Promise<MailTarget | null> {
  await sql`select from schedules where id = ${id} for no key update`.execute(trx)
  const { rows } = await sql<MailTarget>`${target} and c.id = ${id}`.execute(trx)
  return rows[0] ?? null
}

/** Returns the verified address of a person; null without one. */
export async function findVerifiedAddress(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select lower(email) as email from users where id = ${userId} and email_verified_at is not null`.execute(
    db,
  )
  return rows[0]?.email ?? null
}

/** Gives a schedule another address. The previous one is unknown from then on. */
export async function renewAddress(trx: Db, id: string): Promise<void> {
  await sql`delete from mail_attachments where schedule_id = ${id}`.execute(trx)
  await sql`update schedules set mail_token = replace(gen_random_uuid()::text, '-', '') where id = ${id}`.execute(
    trx,
  )
}

/** Returns the places of the attachments of a mail that are documents already. */
export async function listStoredPlaces(db: Db, scheduleId: string, mailId: string): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`select place from mail_attachments
    where schedule_id = ${scheduleId} and foreign_id = ${mailId} order by place limit 1000`.execute(db)
  return new Set(rows.map(({ place }) => place))
}

/** Notes the document of an attachment. Returns false when another process noted one. */
export async function insertAttachment(trx: Db, row: Attachment): Promise<boolean> {
  const { rows } = await sql`insert into mail_attachments (schedule_id, foreign_id, place, document_id)
    values (${row.schedule_id}, ${row.foreign_id}, ${row.place}, ${row.document_id})
    on conflict do nothing returning place`.execute(trx)
  return rows.length > 0
}
type Attachment = { schedule_id: string; foreign_id: string; place: number; document_id: string }

/** Deletes old notes of attachments. Their documents stay. */
export async function removeOldAttachments(db: Db): Promise<void> {
  await sql`
    delete from mail_attachments where (schedule_id, foreign_id, place) in (
      select a.schedule_id, a.foreign_id, a.place from mail_attachments a
      where a.created_at < clock_timestamp() - ${DELIVERY_DAYS} * interval '1 day'
        and not exists (select from trigger_deliveries d
          where d.schedule_id = a.schedule_id and d.foreign_id = a.foreign_id and d.kind = 'mail')
      order by a.created_at limit 10000)`.execute(db)
}
