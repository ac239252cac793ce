import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MailCounts } from '#shared/identity/announcements/announcement-mails.ts'
import type {
  AnnouncementTone,
  AnnouncementWish,
  Audience,
} from '#shared/identity/announcements/announcements.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>

export type Row = {
  id: string
  tone: AnnouncementTone
  text_en: string | null
  text_fr: string | null
  link: string | null
  company_ids: string[]
  group_ids: string[]
  roles: Audience['roles']
  starts_at: Date
  ends_at: Date
  author_name: string
  names: string[]
  dismissed: number
  by_mail: boolean
  mails: MailCounts | null
}

const columns = sql`a.id, a.tone, a.text_en, a.text_fr, a.link, a.company_ids, a.group_ids, a.roles, a.starts_at, a.ends_at, a.author_name, a.by_mail,
  case when a.by_mail or exists (select from announcement_mails m where m.announcement_id = a.id) then (
    select jsonb_build_object(
      'waiting', count(*) filter (where m.state in ('waiting', 'sending')), 'sent', count(*) filter (where m.state = 'sent'),
      'failed', count(*) filter (where m.state = 'failed'), 'unknown', count(*) filter (where m.state = 'unknown'),
      'stopped', count(*) filter (where m.state = 'stopped'), 'problem', a.mail_problem,
      'next_at', to_char(a.mail_next_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from announcement_mails m where m.announcement_id = a.id) end as mails,
  (select count(*)::int from announcement_dismissals d where d.announcement_id = a.id) as dismissed,
  array(select name from (
    select name from companies c where c.id = any (a.company_ids) and a.group_ids = '{}'
    union all select name from groups g where g.id = any (a.group_ids)) named order by lower(name)) as names`

export type Shown = Pick<Row, 'id' | 'tone' | 'text_en' | 'text_fr' | 'link'>

/** Returns the announcements a user sees now. */
export async function findShown(db: Db, userId: string, now: Date): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    select id, tone, text_en, text_fr, link from announced_to(${userId}, ${now}) limit 3`.execute(db)
  return rows
}

/** Returns the tone of an announcement for a user; undefined when they do not see it. */
export async function toneFor(
  db: Db,
  userId: string,
  id: string,
  now: Date,
): Promise<AnnouncementTone | undefined> {
  const { rows } = await sql<{ tone: AnnouncementTone }>`
    select tone from announcements a
    where id = ${id} and starts_at <= ${now} and ends_at > ${now} and is_announced_to(a, ${userId})`.execute(
    db,
  )
  return rows[0]?.tone
}

export async function insertDismissal(db: Db, userId: string, id: string): Promise<void> {
  await sql`insert into announcement_dismissals (announcement_id, user_id) values (${id}, ${userId})
    on conflict do nothing`.execute(db)
}

/** Returns a page of the announcements a principal may manage, newest first. */
export async function findPage(
  db: Db,
  principal: Principal,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ items: Row[]; total: number }> {
  const where = may(principal, 'manage announcement', 'a')
  const { rows } = await sql<Row>`select ${columns} from announcements a where ${where}
    order by a.starts_at desc, a.id limit ${limit} offset ${skip}`.execute(db)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from announcements a where ${where}`.execute(db)
  return { items: rows, total: counted[0]?.count ?? 0 }
}

export async function findOne(db: Db, id: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${columns} from announcements a where a.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks an announcement until the commit. */
export async function lockOne(trx: Db, id: string): Promise<void> {
  await sql`select from announcements where id = ${id} for update`.execute(trx)
}

type Facts = Omit<AnnouncementWish, 'starts_at'> & { starts_at: Date }

const valuesOf = ({ audience, ...wish }: Facts): RawBuilder<unknown>[] => [
  ...[wish.tone, wish.text_en, wish.text_fr, wish.link].map((value) => sql`${value}`),
  ...[sql`${audience.company_ids}::uuid[]`, sql`${audience.group_ids}::uuid[]`],
  ...[sql`${audience.roles}::text[]`, sql`${wish.starts_at}`, sql`${wish.ends_at}::timestamptz`],
  sql`${wish.by_mail}::boolean`,
]
const names = sql.raw(
  'tone, text_en, text_fr, link, company_ids, group_ids, roles, starts_at, ends_at, by_mail',
)

export async function insertOne(
  trx: Db,
  wish: Facts,
  author: { id: string; name: string; at: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into announcements (${names}, author_id, author_name, created_at)
    values (${sql.join(valuesOf(wish))}, ${author.id}, ${author.name}, ${author.at}) returning id`.execute(
    trx,
  )
  if (!rows[0]) throw new Error('An announcement that was just made is gone.')
  return rows[0].id
}

/** Replaces an announcement. A changed text shows it again to those who dismissed it. */
export async function updateOne(trx: Db, id: string, wish: Facts, isNew: boolean): Promise<void> {
  await sql`update announcements set (${names}) = row (${sql.join(valuesOf(wish))}) where id = ${id}`.execute(
    trx,
  )
  if (isNew) await sql`delete from announcement_dismissals where announcement_id = ${id}`.execute(trx)
}

export async function endOne(trx: Db, id: string, now: Date): Promise<void> {
  await sql`update announcements set starts_at = least(starts_at, ${now}), ends_at = ${now} where id = ${id}`.execute(
    trx,
  )
}

/** Returns the companies of the groups that a principal may manage; fewer rows than ids when one is not theirs. */
export async function findGroupCompanies(db: Db, principal: Principal, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    select g.company_id from groups g where g.id = any(${ids}::uuid[]) and ${may(principal, 'manage group', 'g')}
    order by g.id limit ${ids.length}`.execute(db)
  return rows.map(({ company_id }) => company_id)
}

export async function countCompanies(db: Db, principal: Principal, ids: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from companies c
    where c.id = any(${ids}::uuid[]) and ${may(principal, 'manage company', 'c')}`.execute(db)
  return rows[0]?.count ?? 0
}

const PAGE_PEOPLE = 200

/** Notifies the next signed-in readers. Returns the last one, or null at the end. */
export async function tellNext(db: Db, id: string, after: string | null, now: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string; is_signed_in: boolean }>`
    select u.id, exists (select from access_tokens t where t.user_id = u.id) as is_signed_in
    from users u where (${after}::uuid is null or u.id > ${after}::uuid)
      and exists (select from announcements a where a.id = ${id} and is_announced_to(a, u.id))
    order by u.id limit ${PAGE_PEOPLE}`.execute(db)
  const signedIn = rows.filter(({ is_signed_in }) => is_signed_in)
  // In the order of ids, because both functions lock the person.
  await sql`select notify_person(person, 'announcement', 'announcement ' || a.id, json_build_object('announcement_id', a.id)::jsonb)
    from announcements a, unnest(${rows.map((row) => row.id)}::uuid[]) with ordinality as told (person, place)
    where a.id = ${id} and a.starts_at <= ${now} and a.ends_at > ${now} order by told.place`.execute(db)
  await sql`select tell_user(person, 'announcements_changed', '{}')
    from unnest(${signedIn.map((row) => row.id)}::uuid[]) person`.execute(db)
  return rows.length < PAGE_PEOPLE ? null : (rows.at(-1)?.id ?? null)
}
