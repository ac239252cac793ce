import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../deps.ts'
import { issueToken } from './access-tokens.ts'
import { assertBetaAccess } from './beta.ts'
import { verifyPassword } from './passwords.ts'
import { forgetTurns, giveTurnBack, isLimited, takeTurn } from './rate-limits.ts'
import { userColumns } from './users.ts'

/**
 * Signs in by username or email, in any case, and gives an access token.
 * Nobody learns whether a name exists: an unknown one costs the same time and locks the same way.
 * @throws AppError `wrong_credentials`, `email_not_verified`, `beta_required`, `rate_limited`
 */
export async function signIn(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { username, password }: { username: string; password: string },
  address: string,
): Promise<string> {
  await takeTurn(deps, 'sign_in_address', address)
  const account = await findAccount(deps, username)
  const who = account?.id ?? typedName(username).toLowerCase()
  await takeTurn(deps, 'sign_in_account', who)
  await takeTurn(deps, 'sign_in_account_day', who)
  const matches = await verifyPassword(account?.password_hash ?? null, password)
  if (!account || !matches) {
    throw new AppError('wrong_credentials', 'Login failed. Please check your credentials.')
  }
  await giveTurnBack(deps, 'sign_in_address', address)
  await endLockOut(deps, account.id)
  if (deps.config.verificationRequired && !account.email_verified_at) {
    throw new AppError('email_not_verified', 'Email not verified')
  }
  assertBetaAccess(deps.config, account)
  return issueToken(deps, account.id)
}

/** Forgets the failed sign-ins of a user. */
export async function endLockOut(deps: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await forgetTurns(deps, ['sign_in_account', 'sign_in_account_day'], userId)
}

/** Whether a user is locked out after failed sign-ins; it holds for every way in. */
export async function isLockedOut(deps: Pick<Deps, 'db' | 'clock'>, userId: string): Promise<boolean> {
  const limits = [isLimited(deps, 'sign_in_account', userId), isLimited(deps, 'sign_in_account_day', userId)]
  return (await Promise.all(limits)).includes(true)
}

/** A username never contains an @, an email always does. */
function findAccount({ db, config }: Pick<Deps, 'db' | 'config'>, name: string) {
  const column = name.includes('@') ? 'email' : 'username'
  return db
    .selectFrom('users')
    .select(userColumns(config))
    .select('password_hash')
    .where(sql`lower(${sql.ref(column)})`, '=', sql`lower(${typedName(name)})`)
    .executeTakeFirst()
}

/** As sign-up keeps it: the same name typed on another keyboard may arrive composed differently. */
function typedName(name: string): string {
  return name.trim().normalize('NFKC')
}
