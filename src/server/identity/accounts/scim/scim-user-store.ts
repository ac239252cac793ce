import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import { nameSkeleton } from '../sign-up/name-skeleton.ts'
import type { Wanted } from './read-filter.ts'

type Db = Kysely<Tables>
export type ScimUserRow = {
  id: string
  user_name: string
  external_id: string | null
  full_name: string | null
  username: string
  /** Null, like the language, for a user who moved to another company. */
  email: string | null
  language: string | null
  /** In the company and not deactivated. */
  active: boolean
  created_at: Date
  updated_at: Date
}

/** Hides users who moved to another company: this directory may no longer read their account. */
const isShown = sql`(m.user_id is not null or not exists (select from company_members o where o.user_id = users.id))`
const email = sql`case when ${isShown} then users.email end`

/** Filterable attributes and their columns. */
const columns: Record<string, ReturnType<typeof sql>> = {
  id: sql`users.id::text`,
  username: sql`lower(coalesce(s.user_name, users.email))`,
  externalid: sql`lower(s.external_id)`,
  displayname: sql`lower(case when ${isShown} then coalesce(users.full_name, users.username) end)`,
  emails: sql`lower(${email})`,
  'emails.value': sql`lower(${email})`,
  active: sql`(m.user_id is not null and users.deactivated_at is null)::text`,
  // Entra queries the manager before it sets one, which is ignored.
  manager: sql`null::text`,
}
export const userAttributes = Object.keys(columns)

/** Selects a company's users: those its directory created, and other members. */
const people = (companyId: string) => sql`users
  left join scim_users s on s.user_id = users.id and s.company_id = ${companyId}
  left join company_members m on m.user_id = users.id and m.company_id = ${companyId}
  where (s.user_id is not null or m.user_id is not null)`
const shown = sql`users.id, coalesce(s.user_name, users.email) as user_name, s.external_id,
  case when ${isShown} then users.full_name end as full_name,
  case when ${isShown} then users.username else s.user_name end as username, ${email} as email,
  case when ${isShown} then users.language end as language,
  m.user_id is not null and users.deactivated_at is null as active, coalesce(s.created_at, users.created_at) as created_at,
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
  /** The directory ended the membership; `active` is false in the table then. */
  isEndedHere: boolean
}

export async function keepUser(trx: Db, kept: Kept, now: Date): Promise<void> {
  const { companyId, userId, userName, externalId, isEndedHere } = kept
  await sql`insert into scim_users (company_id, user_id, user_name, external_id, active, created_at, updated_at)
    values (${companyId}, ${userId}, ${userName}, ${externalId}, ${!isEndedHere}, ${now}, ${now})
    on conflict (company_id, user_id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
      active = excluded.active, updated_at = excluded.updated_at`.execute(trx)
}

/** Returns whether another user of the company has the name. */
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

/** Returns whether any account has this username or one that looks the same. */
export async function isUsernameTaken(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from users
    where lower(username) = lower(${name}) or name_skeleton = ${nameSkeleton(name)}) as found`.execute(db)
  return rows[0]?.found ?? false
}
