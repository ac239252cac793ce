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

/** Consumes an attempt. Returns null when it is unknown, expired or from another browser. */
export async function endAttempt(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  provider: string,
  state: string,
  browser: string | null,
): Promise<(Attempt & { redirectUri: string; userId: string | null }) | null> {
  if (!state || !browser) return null
  const row = await db
    .deleteFrom('sign_on_states')
    .where('state_hash', '=', hashSecret(state + browser))
    .where('provider', '=', provider)
    .where('expires_at', '>', clock.now())
    .returning(['redirect_uri', 'code_verifier', 'nonce', 'user_id'])
    .executeTakeFirst()
  if (!row) return null
  const { nonce, code_verifier: codeVerifier, redirect_uri: redirectUri, user_id: userId } = row
  return { state, nonce, codeVerifier, redirectUri, userId }
}
