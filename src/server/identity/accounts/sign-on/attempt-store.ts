import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Platform } from '../../../platform/platform.ts'
import { hashSecret, newSecret } from '../tokens/access-token-store.ts'
import type { Attempt } from './sign-on-service.ts'

const lifeMs = 10 * 60_000

/**
 * Stores a sign-on attempt for ten minutes. The state is stored as a hash combined with the browser's secret, so a response
 * in another browser matches nothing. With `userId` the attempt connects the service to that account.
 */
export async function beginAttempt(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  provider: string,
  { redirectUri, browser, userId = null }: { redirectUri: string; browser: string; userId?: string | null },
): Promise<Attempt> {
  const attempt = { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() }
  await db
    .insertInto('sign_on_states')
    .values({
      state_hash: hashSecret(attempt.state + browser),
      provider,
      redirect_uri: redirectUri,
      code_verifier: attempt.codeVerifier,
      nonce: attempt.nonce,
      user_id: userId,
      expires_at: new Date(clock.now().getTime() + lifeMs),
    })
    .execute()
  return attempt
}

/**
 * Consumes an attempt. Returns null when it is unknown, expired or from another browser. One that connects a service leaves a row behind,
 * `pending`, until the service is connected: it ends with the user's sign-ins.
 */
export async function endAttempt(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  provider: string,
  state: string,
  browser: string | null,
): Promise<(Attempt & { redirectUri: string; userId: string | null; pending: Buffer }) | null> {
  if (!state || !browser) return null
  const pending = hashSecret(newSecret())
  const row = await db
    .updateTable('sign_on_states')
    .set({ state_hash: pending })
    .where('state_hash', '=', hashSecret(state + browser))
    .where('provider', '=', provider)
    .where('expires_at', '>', clock.now())
    .returning(['redirect_uri', 'code_verifier', 'nonce', 'user_id'])
    .executeTakeFirst()
  if (!row) return null
  if (row.user_id === null) await endPendingAttempt(db, pending)
  const { nonce, code_verifier: codeVerifier, redirect_uri: redirectUri, user_id: userId } = row
  return { state, nonce, codeVerifier, redirectUri, userId, pending }
}

/** Deletes what `endAttempt` left behind. Returns false when it has ended. */
export async function endPendingAttempt(db: Kysely<Tables>, pending: Buffer): Promise<boolean> {
  const gone = await db.deleteFrom('sign_on_states').where('state_hash', '=', pending).executeTakeFirst()
  return gone.numDeletedRows > 0n
}
