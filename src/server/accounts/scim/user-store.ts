import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Wanted } from './read-filter.ts'

type Db = Kysely<Tables>
export type ScimUserRow = {
  id: string
  user_name: string
  external_id: string | null
  full_name: string | null
  username: string
  email: string
  language: string
  active: boolean
  created_at: Date
  updated_at: Date
}

/** What a filter may name, and where it stands. */
const columns: Record<string, ReturnType<typeof sql>> = {
  id: sql`users.id::text`,
  username: sql`lower(coalesce(s.user_name, users.email))`,
  externalid: sql`lower(s.external_id)`,
  emails: sql`lower(users.email)`,
  'emails.value': sql`lower(users.email)`,
  active: sql`coalesce(s.active, true)::text`,
}
export const userAttributes = Object.keys(columns)

/** The people of a company: those its directory brought, and those who are in it anyway. */
const people = (companyId: string) => sql`users
  left join scim_users s on s.user_id = users.id and s.company_id = ${companyId}
  where (s.user_id is not null or exists (
    select from company_members m where m.user_id = users.id and m.company_id = ${companyId}))`
const shown = sql`users.id, coalesce(s.user_name, users.email) as user_name, s.external_id, users.full_name, users.username,
  users.email, users.language, coalesce(s.active, true) as active, coalesce(s.created_at, users.created_at) as created_at,
  coalesce(s.updated_at, users.updated_at) as updated_at`

export async function listUsers(
  db: Db,
  companyId: string,
  wanted: Wanted[],
  { skip, limit }: { skip: number; limit: number },
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const where = sql.join(
    [sql`true`, ...wanted.map(({ attribute, value }) => sql`${columns[attribute] ?? sql`null`} = ${value}`)],
    sql` and `,
  )
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from ${people(companyId)} and ${where}`.execute(db)
  const { rows } = await sql<ScimUserRow>`select ${shown} from ${people(companyId)} and ${where}
    order by users.created_at, users.id limit ${limit} offset ${skip}`.execute(db)
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findUser(db: Db, companyId: string, id: string): Promise<ScimUserRow | null> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) return null
  const { rows } =
    await sql<ScimUserRow>`select ${shown} from ${people(companyId)} and users.id::text = ${id.toLowerCase()}`.execute(
      db,
    )
  return rows[0] ?? null
}

type Kept = {
  companyId: string
  userId: string
  userName: string
  externalId: string | null
  active: boolean
}

export async function keepUser(trx: Db, kept: Kept, now: Date): Promise<void> {
  const { companyId, userId, userName, externalId, active } = kept
  await sql`insert into scim_users (company_id, user_id, user_name, external_id, active, created_at, updated_at)
    values (${companyId}, ${userId}, ${userName}, ${externalId}, ${active}, ${now}, ${now})
    on conflict (company_id, user_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
      active = excluded.active, updated_at = excluded.updated_at`.execute(trx)
}

/** Whether somebody else of the company has the name already. */
export async function isNameTaken(
  db: Db,
  companyId: string,
  userName: string,
  but: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from ${people(companyId)}
    and lower(coalesce(s.user_name, users.email)) = lower(${userName}) and users.id is distinct from ${but}::uuid) as found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}

export async function forgetUser(trx: Db, companyId: string, userId: string): Promise<void> {
  await sql`delete from scim_users where company_id = ${companyId} and user_id = ${userId}`.execute(trx)
  await sql`delete from scim_group_members where user_id = ${userId}
    and group_id in (select id from scim_groups where company_id = ${companyId})`.execute(trx)
}

/** Whether a person belongs to other companies, which their account is of too. */
export async function isElsewhere(trx: Db, companyId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (
    select from company_members where user_id = ${userId} and company_id <> ${companyId}) as found`.execute(
    trx,
  )
  return rows[0]?.found ?? false
}

/** Ends every sign-in and every key of a person, at once on every process. */
export async function endAccess(trx: Db, userId: string): Promise<void> {
  await sql`delete from access_tokens where user_id = ${userId}`.execute(trx)
  await sql`delete from pending_sign_ins where user_id = ${userId}`.execute(trx)
  await sql`delete from one_time_tokens where user_id = ${userId}`.execute(trx)
  await sql`update access_keys set revoked_at = now() where user_id = ${userId} and revoked_at is null`.execute(
    trx,
  )
}

export async function setDeactivated(trx: Db, userId: string, at: Date | null): Promise<void> {
  await sql`update users set deactivated_at = ${at} where id = ${userId}`.execute(trx)
}

export async function setNames(
  trx: Db,
  userId: string,
  { fullName, language }: { fullName: string | null; language: 'en' | 'fr' | null },
): Promise<void> {
  await sql`update users set full_name = coalesce(${fullName}, full_name), language = coalesce(${language}, language)
    where id = ${userId}`.execute(trx)
}

/** Whether any account has this username. */
export async function isUsernameTaken(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from users where lower(username) = lower(${name})) as found`.execute(db)
  return rows[0]?.found ?? false
}
