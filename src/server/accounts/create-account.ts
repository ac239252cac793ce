import { sql, type Transaction } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Language } from '#shared/primitives.ts'
import { grantStartingBalance } from '../billing/billing.ts'
import type { Tables } from '../db/tables.ts'
import type { Platform } from '../platform.ts'
import { nameSkeleton } from './name-skeleton.ts'

export type NewAccount = {
  username: string
  email: string
  fullName: string | null
  passwordHash: string | null
  language: Language
  /** Whether the address is proved already, by a sign-on service. */
  emailProved: boolean
}

/** Any number, the same in every process: who makes the first account is decided under it. */
const firstAccountLock = 4_201_001

/**
 * Makes an account inside a transaction. The first of an empty installation becomes super admin of
 * a first company and counts as verified; everybody after is a plain member of a company of their own,
 * or of that first one where `ATRIUM_SIGN_UP_COMPANY` says so.
 * `allowFirst` decides under the lock whether a first account may be made, and throws if not.
 * @throws AppError `username_taken`, `email_taken`
 */
export async function createAccount(
  deps: Pick<Platform, 'clock' | 'config'>,
  trx: Transaction<Tables>,
  account: NewAccount,
  allowFirst: () => Promise<void>,
): Promise<{ id: string; isFirst: boolean; verified: boolean }> {
  const isFirst = await claimFirst(trx)
  if (isFirst) await allowFirst()
  const verified = isFirst || account.emailProved
  const id = await insertUser(trx, account, verified ? deps.clock.now() : null)
  const companyId = await companyFor(deps, trx, account, isFirst)
  await trx
    .insertInto('company_members')
    .values({ company_id: companyId, user_id: id, role: isFirst ? 'super_admin' : 'member' })
    .execute()
  await grantStartingBalance(trx, deps.config, id)
  return { id, isFirst, verified }
}

/** Later sign-ups see an account without the lock and never wait. */
async function claimFirst(trx: Transaction<Tables>): Promise<boolean> {
  if (await hasUsers(trx)) return false
  await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(trx)
  return !(await hasUsers(trx))
}

async function hasUsers(trx: Transaction<Tables>): Promise<boolean> {
  return (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function insertUser(trx: Transaction<Tables>, account: NewAccount, verifiedAt: Date | null) {
  const skeleton = nameSkeleton(account.username)
  const inserted = await trx
    .insertInto('users')
    .values({
      username: account.username,
      name_skeleton: skeleton,
      email: account.email,
      full_name: account.fullName,
      password_hash: account.passwordHash,
      language: account.language,
      email_verified_at: verifiedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return inserted.id
  const sameName = await trx
    .selectFrom('users')
    .select('id')
    .where((row) =>
      row.or([
        row(sql`lower(username)`, '=', sql`lower(${account.username})`),
        row('name_skeleton', '=', skeleton),
      ]),
    )
    .executeTakeFirst()
  if (sameName) throw new AppError('username_taken', 'Username already registered')
  throw new AppError('email_taken', 'Email already registered')
}

/** Anybody may sign up; that alone makes nobody a colleague (docs/decisions/0008). */
async function companyFor(
  { config }: Pick<Platform, 'config'>,
  trx: Transaction<Tables>,
  { username }: NewAccount,
  isFirst: boolean,
): Promise<string> {
  if (isFirst) return insertCompany(trx, 'Atrium')
  return config.ATRIUM_SIGN_UP_COMPANY === 'own' ? insertCompany(trx, username) : firstCompany(trx)
}

async function insertCompany(trx: Transaction<Tables>, name: string): Promise<string> {
  const company = await trx.insertInto('companies').values({ name }).returning('id').executeTakeFirstOrThrow()
  return company.id
}

async function firstCompany(trx: Transaction<Tables>): Promise<string> {
  const company = await trx
    .selectFrom('companies')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return company?.id ?? insertCompany(trx, 'Atrium')
}
