import { type Kysely, sql } from 'kysely'
import type { UndeliveredMail } from '#shared/identity/announcements/announcement-mails.ts'
import type { AnnouncementTone } from '#shared/identity/announcements/announcements.ts'
import type { Tables } from '../../../platform/db/tables.ts'

type Db = Kysely<Tables>

/** An addressee whose mail is being sent now, with the announcement. */
export type Addressed = {
  user_id: string
  email: string
  language: string
  tone: AnnouncementTone
  text_en: string | null
  text_fr: string | null
  link: string | null
  tries: number
}

type Schedule = { by_mail: boolean; starts_at: Date; ends_at: Date; mails_listed_at: Date | null }

/** Locks an announcement until the commit and returns when it goes by mail; undefined when it is gone. */
export async function lockSchedule(trx: Db, id: string): Promise<Schedule | undefined> {
  const { rows } = await sql<Schedule>`select by_mail, starts_at, ends_at, mails_listed_at from announcements
    where id = ${id} for update`.execute(trx)
  return rows[0]
}

/**
 * Stores the missing addressees of an announcement, and lets stopped mails wait again. `betaOnly` leaves out
 * people who may not enter a closed beta.
 */
export async function listAddressees(
  trx: Db,
  id: string,
  { now, betaOnly }: { now: Date; betaOnly: boolean },
): Promise<void> {
  await sql`insert into announcement_mails (announcement_id, user_id, state, due_at, changed_at)
    select a.id, u.id, 'waiting', ${now}, ${now} from announcements a, users u
    where a.id = ${id} and is_mailed_to(a, u) and (not ${betaOnly} or u.beta_access or exists (
      select from company_members m where m.user_id = u.id and m.role = 'super_admin'))
    on conflict (announcement_id, user_id) do update
      set state = 'waiting', due_at = excluded.due_at, changed_at = excluded.changed_at
      where announcement_mails.state = 'stopped'`.execute(trx)
  await sql`update announcements set mails_listed_at = ${now} where id = ${id}`.execute(trx)
}

/** Removes waiting mails to people the announcement is for no more. */
export async function dropUnmeant(trx: Db, id: string): Promise<void> {
  await sql`delete from announcement_mails m using announcements a, users u
    where m.announcement_id = ${id} and a.id = m.announcement_id and u.id = m.user_id
      and m.state = 'waiting' and not is_mailed_to(a, u)`.execute(trx)
}

/** Marks mails whose sending was interrupted. They may have been sent, so they are not sent again. */
export async function markInterrupted(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update announcement_mails set state = 'unknown', changed_at = ${now}
    where announcement_id = ${id} and state = 'sending'`.execute(trx)
}

export async function stopWaiting(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update announcement_mails set state = 'stopped', changed_at = ${now}
    where announcement_id = ${id} and state = 'waiting'`.execute(trx)
  await setProblem(trx, id, null)
}

/** Lets the addressees be written down again, because the audience changed. */
export async function relist(trx: Db, id: string): Promise<void> {
  await sql`update announcements set mails_listed_at = null where id = ${id}`.execute(trx)
}

/** Takes the next due mail that is still wanted. Returns undefined when there is none. */
export async function claimNext(db: Db, id: string, now: Date): Promise<Addressed | undefined> {
  const { rows } = await sql<Addressed>`
    update announcement_mails m set state = 'sending', tries = m.tries + 1, changed_at = ${now}
    from announcements a, users u
    where m.announcement_id = ${id} and a.id = m.announcement_id and u.id = m.user_id and m.user_id = (
      select w.user_id from announcement_mails w join announcements b on b.id = w.announcement_id
        join users p on p.id = w.user_id
      where w.announcement_id = ${id} and w.state = 'waiting' and w.due_at <= ${now}
        and b.by_mail and b.ends_at > ${now} and is_mailed_to(b, p)
      order by w.user_id limit 1 for update of w skip locked)
    returning u.id as user_id, u.email, u.language, a.tone, a.text_en, a.text_fr, a.link, m.tries`.execute(db)
  return rows[0]
}

type Settled = {
  state: 'waiting' | 'sent' | 'failed' | 'unknown'
  tries: number
  said: string | null
  due: Date
  now: Date
}

/** Stores the result of sending a mail. */
export async function settle(
  db: Db,
  { id, userId }: { id: string; userId: string },
  { state, tries, said, due, now }: Settled,
): Promise<void> {
  await sql`update announcement_mails set state = ${state}, tries = ${tries}, said = ${said}, due_at = ${due}, changed_at = ${now}
    where announcement_id = ${id} and user_id = ${userId} and state in ('sending', 'unknown')`.execute(db)
}

/** Returns when the next waiting mail is due; undefined when none waits. */
export async function nextDue(db: Db, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ due: Date | null }>`select min(due_at) as due from announcement_mails
    where announcement_id = ${id} and state = 'waiting'`.execute(db)
  return rows[0]?.due ?? undefined
}

/** Stores why the mails of an announcement wait, and until when; null when they do not. */
export async function setProblem(
  db: Db,
  id: string,
  problem: { problem: string; next: Date } | null,
): Promise<void> {
  await sql`update announcements set mail_problem = ${problem?.problem ?? null},
    mail_next_at = ${problem?.next ?? null} where id = ${id}`.execute(db)
}

/** Returns a page of the mails that failed or may have been lost, by name. */
export async function findUndelivered(
  db: Db,
  id: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: UndeliveredMail[]; total: number }> {
  const { rows } = await sql<UndeliveredMail & { total: number }>`
    select u.id as user_id, coalesce(u.full_name, u.username) as name, u.email, m.state, m.said,
      count(*) over ()::int as total
    from announcement_mails m join users u on u.id = m.user_id
    where m.announcement_id = ${id} and m.state in ('failed', 'unknown')
    order by lower(coalesce(u.full_name, u.username)), u.id limit ${limit} offset ${skip}`.execute(db)
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 }
}

/** Stops announcements by mail for a person. Returns false when the person is gone. */
export async function refuseMails(db: Db, userId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update users
    set preferences = preferences || '{"announcement_mails": false}' where id = ${userId}`.execute(db)
  return numAffectedRows === 1n
}
