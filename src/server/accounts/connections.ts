import type { Connection } from '#shared/accounts/accounts.ts'
import { AppError } from '#shared/errors.ts'
import type { Platform } from '../platform.ts'

/** The sign-on services of a user, oldest first, and whether they could also sign in by password. */
export async function listSignOnConnections({ db }: Pick<Platform, 'db'>, userId: string) {
  const identities = await db
    .selectFrom('identities')
    .select(['provider', 'email', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('provider')
    .limit(100)
    .execute()
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const items: Connection[] = identities.map(({ provider, email, created_at }) => ({
    provider,
    email,
    connected_at: created_at.toISOString(),
  }))
  return { items, has_password: password_hash !== null }
}

/**
 * Takes a sign-on service off an account, unless it is the only way in.
 * @throws AppError `not_found`, `conflict`
 */
export async function disconnectSignOn(
  { db }: Pick<Platform, 'db'>,
  userId: string,
  provider: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Locked, so that two services taken off at once cannot both count on the other.
    const user = await trx
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const identities = await trx
      .selectFrom('identities')
      .select('provider')
      .where('user_id', '=', userId)
      .orderBy('provider')
      .limit(100)
      .execute()
    const others = identities.filter((identity) => identity.provider !== provider)
    if (others.length === identities.length) throw new AppError('not_found', 'This service is not connected.')
    if (!user.password_hash && others.length === 0) {
      throw new AppError('conflict', 'Set a password first: this service is your only way to sign in.')
    }
    await trx
      .deleteFrom('identities')
      .where('user_id', '=', userId)
      .where('provider', '=', provider)
      .execute()
  })
}
