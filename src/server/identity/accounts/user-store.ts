import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { RoleName, User } from '#shared/identity/accounts/accounts.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Platform } from '../../platform/platform.ts'

type Affiliation = { id: string; name: string; role: string }

type UserRow = Pick<
  Selectable<Tables['users']>,
  | 'id'
  | 'email'
  | 'username'
  | 'full_name'
  | 'language'
  | 'bio'
  | 'writing_style_examples'
  | 'preferences'
  | 'picture_id'
  | 'created_at'
> & { balance: number | null; affiliations: Affiliation[] }

/** Returns the columns for `toUser` in any query over `users`, including companies, so that one query suffices. */
export function userColumns({ ATRIUM_BILLING }: Pick<Platform['config'], 'ATRIUM_BILLING'>) {
  return (eb: ExpressionBuilder<Tables, 'users'>) => [
    ...plainColumns,
    (ATRIUM_BILLING === 'on' ? balance : noBalance).as('balance'),
    jsonArrayFrom(
      eb
        .selectFrom('company_members as member')
        .innerJoin('companies as company', 'company.id', 'member.company_id')
        .select(['company.id', 'company.name', 'member.role'])
        .whereRef('member.user_id', '=', 'users.id')
        .orderBy('company.created_at')
        .orderBy('company.id')
        .limit(1000),
    ).as('affiliations'),
  ]
}

const plainColumns = [
  'users.id',
  'users.email',
  'users.username',
  'users.full_name',
  'users.language',
  'users.bio',
  'users.writing_style_examples',
  'users.preferences',
  'users.picture_id',
  'users.created_at',
  'users.email_verified_at',
  'users.beta_access',
  'users.deactivated_at',
  'users.password_due',
] as const

/** Converts a row of `userColumns` to the wire format. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    full_name: row.full_name,
    language: row.language === 'fr' ? 'fr' : 'en',
    bio: row.bio,
    writing_style_examples: row.writing_style_examples,
    balance: row.balance,
    preferences: row.preferences,
    picture_id: row.picture_id,
    company_affiliations: row.affiliations.map(toAffiliation),
    created_at: row.created_at.toISOString(),
  }
}

/** Returns the companies and roles of a user, oldest company first. */
export async function findAffiliations(
  db: Platform['db'],
  userId: string,
): Promise<User['company_affiliations']> {
  const rows = await db
    .selectFrom('company_members as member')
    .innerJoin('companies as company', 'company.id', 'member.company_id')
    .select(['company.id', 'company.name', 'member.role'])
    .where('member.user_id', '=', userId)
    .orderBy('company.created_at')
    .orderBy('company.id')
    .limit(1000)
    .execute()
  return rows.map(toAffiliation)
}

/** Returns a user by id. @throws AppError `not_found` */
export async function readUser({ db, config }: Pick<Platform, 'db' | 'config'>, id: string): Promise<User> {
  const row = await db
    .selectFrom('users')
    .select(userColumns(config))
    .where('users.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'User not found')
  return toUser(row)
}

const toAffiliation = ({ id, name, role }: Affiliation) => ({
  company: { id, name },
  role: { name: role as RoleName },
})

const noBalance = sql<number | null>`null::float8`
const balance = sql<number | null>`
  coalesce((select balance from user_balances where user_balances.user_id = users.id), 0)::float8`
