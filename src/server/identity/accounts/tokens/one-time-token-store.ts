import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { hashSecret, newSecret } from './access-token-store.ts'

type Purpose = Tables['one_time_tokens']['purpose']

const lifeMs: Record<Purpose, number> = {
  verify_email: 86_400_000,
  reset_password: 86_400_000,
  sign_on: 60_000,
  change_email: 86_400_000,
  let_in: 86_400_000,
}

/**
 * Creates a single-use token, valid 24 hours for mails and one minute for a sign-on return. With `binding` it works
 * only together with that second secret in the same browser.
 */
export async function makeOneTimeToken(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  purpose: Purpose,
  user: { id: string; email: string; signOnId?: string | null },
  binding = '',
): Promise<string> {
  const token = newSecret()
  await db
    .insertInto('one_time_tokens')
    .values({
      token_hash: hashSecret(token + binding),
      purpose,
      user_id: user.id,
      email: user.email,
      sign_on_id: user.signOnId ?? null,
      expires_at: new Date(clock.now().getTime() + lifeMs[purpose]),
    })
    .execute()
  return token
}

/** Replaces the secret of an open token, so that the queue of mails holds none. Returns null when it was withdrawn. */
export async function renewOneTimeToken(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  purpose: Purpose,
  { userId, to }: { userId: string; to: string },
): Promise<string | null> {
  const token = newSecret()
  const renewed = await db
    .updateTable('one_time_tokens')
    .set({ token_hash: hashSecret(token) })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('email', '=', to)
    .where('used_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  return renewed.numUpdatedRows > 0n ? token : null
}

/**
 * Consumes a token and returns its user and the address it was mailed to; of two concurrent uses one succeeds. A token mailed to an
 * address the user no longer has is invalid, unless it is their requested new one.
 * @throws AppError `token_invalid`
 */
export async function consumeOneTimeToken(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  purpose: Purpose | readonly Purpose[],
  token: string,
  binding = '',
): Promise<{ userId: string; email: string; purpose: Purpose; signOnId: string | null }> {
  const now = clock.now()
  const used = await db
    .updateTable('one_time_tokens as token')
    .set({ used_at: now })
    .from('users')
    .whereRef('users.id', '=', 'token.user_id')
    .where(sql<boolean>`(token.purpose = 'change_email' or lower(users.email) = lower(token.email))`)
    .where('token.token_hash', '=', hashSecret(token + binding))
    .where('token.purpose', 'in', [purpose].flat())
    .where('token.used_at', 'is', null)
    .where('token.expires_at', '>', now)
    .returning(['token.user_id as userId', 'token.email', 'users.email as current', 'token.purpose'])
    .returning('token.sign_on_id as signOnId')
    .executeTakeFirst()
  if (!used) throw invalidToken()
  const { userId, email, current, purpose: proved, signOnId } = used
  return { userId, email: email ?? current, purpose: proved, signOnId }
}

/** Returns the user of an open token without consuming it; undefined when there is none. */
export function findTokenOwner(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  purposes: readonly Purpose[],
  token: string,
) {
  return db
    .selectFrom('one_time_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(['users.id', 'users.username', 'users.full_name', 'users.email'])
    .where('token.token_hash', '=', hashSecret(token))
    .where('token.purpose', 'in', purposes)
    .where('token.used_at', 'is', null)
    .where('token.expires_at', '>', clock.now())
    .executeTakeFirst()
}

/** Checks that a consumed token was not withdrawn meanwhile. @throws AppError `token_invalid` */
export async function assertConsumed(trx: Kysely<Tables>, userId: string, purpose: Purpose): Promise<void> {
  const used = trx.selectFrom('one_time_tokens').select('user_id').where('user_id', '=', userId)
  const row = await used
    .where('purpose', '=', purpose)
    .where('used_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!row) throw invalidToken()
}

/** Invalidates a user's open tokens. */
export async function endOneTimeTokens(
  { db }: Pick<Platform, 'db'>,
  purpose: Purpose,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute()
}

export const invalidToken = () => new AppError('token_invalid', 'The link is invalid or has expired.')
