import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type {
  ManagedCompany,
  ManagedUser,
  ManagedUserDetails,
  UserState,
} from '#shared/identity/administration/administration.ts'
import { AppError } from '#shared/platform/errors.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Filter = {
  company_id?: string | undefined
  role?: RoleName | undefined
  state?: UserState | undefined
}
type Wanted = Filter & { isBilled: boolean; q: string; skip: number; limit: number }

type Row = Omit<ManagedUser, 'created_at' | 'last_used_at'> & {
  created_at: Date
  last_used_at: Date | null
  total: number
}

/** Returns the users a principal may manage, by name. `q` searches names, addresses and companies. */
export async function findUsers(
  db: Database,
  principal: Principal,
  { isBilled, q, skip, limit, ...filter }: Wanted,
): Promise<{ items: ManagedUser[]; total: number }> {
  const words = q.trim().toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10)
  const found = words.map(
    (
      word,
    ) => sql<boolean>`(position(${word} in lower(concat_ws(' ', users.full_name, users.username, users.email))) > 0
      or exists (select from company_members m join companies c on c.id = m.company_id
        where m.user_id = users.id and position(${word} in lower(c.name)) > 0))`,
  )
  const { rows } = await sql<Row>`
    select ${columns(principal, isBilled)}, count(*) over ()::int as total
    from users where ${sql.join([may(principal, 'manage user', 'users'), ...found, ...conditions(principal, filter)], sql` and `)}
    order by lower(coalesce(users.full_name, users.username)), users.id
    limit ${limit} offset ${skip}`.execute(db)
  return { items: rows.map(toManaged), total: rows[0]?.total ?? 0 }
}

function conditions(principal: Principal, { company_id, role, state }: Filter) {
  const isIn = (extra: RawBuilder<unknown>) => sql<boolean>`exists (select from company_members m
    join companies c on c.id = m.company_id where m.user_id = users.id
    and ${may(principal, 'manage company', 'c')} and ${extra})`
  const own = [
    ...(company_id ? [sql`m.company_id = ${company_id}`] : []),
    ...(role ? [sql`m.role = ${role}`] : []),
  ]
  return [...(own.length > 0 ? [isIn(sql.join(own, sql` and `))] : []), ...(state ? [states[state]] : [])]
}

const states = {
  active: sql<boolean>`users.deactivated_at is null`,
  deactivated: sql<boolean>`users.deactivated_at is not null`,
  unverified: sql<boolean>`users.email_verified_at is null`,
  beta: sql<boolean>`users.beta_access`,
}

export async function findUser(
  db: Database,
  principal: Principal,
  userId: string,
  isBilled: boolean,
): Promise<ManagedUser | undefined> {
  const { rows } = await sql<Row>`
    select ${columns(principal, isBilled)}, 1 as total from users where users.id = ${userId}`.execute(db)
  return rows[0] && toManaged(rows[0])
}

/** Returns a user's groups in the companies a principal administers, and the number of their live sign-ins. */
export async function findDetails(
  db: Database,
  principal: Principal,
  userId: string,
  now: Date,
): Promise<Pick<ManagedUserDetails, 'groups' | 'sign_ins'>> {
  const { rows: groups } = await sql<ManagedUserDetails['groups'][number]>`
    select g.id, g.name, g.company_id, g.from_directory from group_members m join groups g on g.id = m.group_id
    where m.user_id = ${userId} and ${may(principal, 'manage group', 'g')} order by lower(g.name), g.id limit 1000`.execute(
    db,
  )
  const { rows } = await sql<{ sign_ins: number }>`
    select count(*)::int as sign_ins from access_tokens
    where user_id = ${userId} and expires_at > ${now}`.execute(db)
  return { groups, sign_ins: rows[0]?.sign_ins ?? 0 }
}

function columns(principal: Principal, isBilled: boolean) {
  const balance = isBilled
    ? sql`coalesce((select balance from user_balances b where b.user_id = users.id), 0)::float8`
    : sql`null::float8`
  return sql`users.id, users.username, users.full_name, users.email, users.beta_access, users.created_at,
    users.email_verified_at is not null as verified, users.deactivated_at is null as is_active,
    (exists (select from code_apps a where a.user_id = users.id and a.confirmed_at is not null)
      or exists (select from passkeys p where p.user_id = users.id)) as has_second_factor, ${balance} as balance,
    (select max(last_used_at) from access_tokens t where t.user_id = users.id) as last_used_at,
    coalesce((select json_agg(json_build_object('id', company.id, 'name', company.name, 'role', m.role)
        order by company.created_at, company.id)
      from company_members m join companies company on company.id = m.company_id
      where m.user_id = users.id and ${may(principal, 'manage company', 'company')}), '[]') as companies`
}

function toManaged({ total: _, created_at, last_used_at, ...user }: Row): ManagedUser {
  return {
    ...user,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

/** Returns a user's role in a company; undefined when they are not a member. */
export async function roleIn(
  trx: Transaction<Tables>,
  companyId: string,
  userId: string,
): Promise<RoleName | undefined> {
  const row = await trx
    .selectFrom('company_members')
    .select('role')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.role as RoleName | undefined
}

/** Returns whether a company exists and locks it for the transaction. */
export async function isCompany(trx: Kysely<Tables>, id: string): Promise<boolean> {
  const found = trx.selectFrom('companies').select('id').where('id', '=', id).forKeyShare()
  return (await found.executeTakeFirst()) !== undefined
}

export async function setRole(
  trx: Transaction<Tables>,
  company_id: string,
  user_id: string,
  role: RoleName | null,
): Promise<void> {
  if (role === null) {
    const own = trx.deleteFrom('company_members').where('company_id', '=', company_id)
    await own.where('user_id', '=', user_id).execute()
    return
  }
  await trx
    .insertInto('company_members')
    .values({ company_id, user_id, role })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'user_id']).doUpdateSet({ role, is_role_held: false }),
    )
    .execute()
}

/** Returns whether a user belongs to a company beyond these that has another member. */
export async function isInOtherCompany(
  db: Kysely<Tables>,
  userId: string,
  companyIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from company_members m where user_id = ${userId} and company_id <> all(${companyIds}::uuid[])
      and exists (select from company_members other
        where other.company_id = m.company_id and other.user_id <> m.user_id) limit 1`.execute(db)
  return rows.length > 0
}

/** Returns all super admins and locks them, so that none changes meanwhile. Takes the lock of `lockRoles`. */
export async function superAdmins(trx: Transaction<Tables>): Promise<string[]> {
  await lockRoles(trx)
  const { rows } = await sql<{ user_id: string }>`
    select user_id from company_members where role = 'super_admin' order by user_id, company_id for update`.execute(
    trx,
  )
  return [...new Set(rows.map(({ user_id }) => user_id))]
}

/** Returns whether a user is a super admin and no other active account is one. Takes the lock of `lockRoles`. */
export async function isLastSuperAdmin(trx: Transaction<Tables>, userId: string): Promise<boolean> {
  const admins = await superAdmins(trx)
  if (!admins.includes(userId)) return false
  const { rows } = await sql<{ has_others: boolean }>`select exists (select from users
    where id = any(${admins}::uuid[]) and id <> ${userId} and deactivated_at is null) as has_others`.execute(
    trx,
  )
  return !rows[0]?.has_others
}

/**
 * Serializes changes of roles until the transaction ends. Call it before any other lock: the order is roles, accounts, memberships,
 * what belongs to an account (keys, codes, webhooks), and the audit log last. Two changes with different orders would wait for each
 * other.
 */
export async function lockRoles(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('atrium_roles'))`.execute(trx)
}

/** Locks a user and returns their state before a change. `company_id` is their first company. */
export async function lockPerson(
  trx: Transaction<Tables>,
  id: string,
): Promise<{ name: string; beta_access: boolean; company_id: string | null }> {
  const { rows } = await sql<Awaited<ReturnType<typeof lockPerson>>>`
    select coalesce(nullif(trim(full_name), ''), username) as name, beta_access,
      (select company_id from company_members m where m.user_id = users.id order by company_id limit 1) as company_id
    from users where id = ${id} for update`.execute(trx)
  const [found] = rows
  if (!found) throw new AppError('not_found', 'User not found')
  return found
}

export async function setBetaAccess(
  trx: Transaction<Tables>,
  userId: string,
  beta_access: boolean | undefined,
): Promise<void> {
  if (beta_access === undefined) return
  await trx.updateTable('users').set({ beta_access }).where('id', '=', userId).execute()
}

/** A company's stored values, without the ones fixed by the environment. */
export type CompanyRow = Omit<ManagedCompany, 'outward_fixed_by' | 'second_factor_binds_at'> & {
  second_factor_since: Date | null
}

export async function findCompanies(db: Database, principal: Principal): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    select company.id, company.name, company.requires_second_factor, company.second_factor_since, company.outward_calls, company.members_share, company.mails_show_content,
      (select count(*)::int from company_members m where m.company_id = company.id) as people
    from companies company where ${may(principal, 'manage company', 'company')}
    order by lower(company.name), company.id limit 10000`.execute(db)
  return rows
}

export async function insertCompany(db: Transaction<Tables>, name: string): Promise<CompanyRow> {
  const company = await db
    .insertInto('companies')
    .values({ name })
    .returning([
      'id',
      'name',
      'requires_second_factor',
      'second_factor_since',
      'outward_calls',
      'members_share',
      'mails_show_content',
    ])
    .executeTakeFirstOrThrow()
  return { ...company, people: 0 }
}

type CompanyFacts = Pick<
  ManagedCompany,
  'name' | 'requires_second_factor' | 'outward_calls' | 'members_share' | 'mails_show_content'
>

/** Updates the given fields. Returns the company before and after. */
export async function changeCompany(
  trx: Transaction<Tables>,
  id: string,
  {
    name = null,
    requires_second_factor = null,
    outward_calls = null,
    members_share = null,
    mails_show_content = null,
  }: { [K in keyof CompanyFacts]?: CompanyFacts[K] | null | undefined },
  now: Date,
): Promise<{ before: CompanyFacts; company: CompanyRow }> {
  const before = await trx
    .selectFrom('companies')
    .select(['name', 'requires_second_factor', 'outward_calls', 'members_share', 'mails_show_content'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { rows } = await sql<CompanyRow>`
    update companies company set name = coalesce(${name}, name),
      requires_second_factor = coalesce(${requires_second_factor}, requires_second_factor),
      second_factor_since = case when not coalesce(${requires_second_factor}, requires_second_factor) then null
        else coalesce(second_factor_since, ${now}) end,
      outward_calls = coalesce(${outward_calls}, outward_calls),
      members_share = coalesce(${members_share}, members_share),
      mails_show_content = coalesce(${mails_show_content}, mails_show_content)
    where id = ${id} returning id, name, requires_second_factor, second_factor_since, outward_calls, members_share, mails_show_content,
      (select count(*)::int from company_members m where m.company_id = company.id) as people`.execute(trx)
  const [company] = rows
  if (!company) throw new Error(`company ${id} is gone`)
  return { before, company }
}
