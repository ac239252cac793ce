import type { Platform } from '../../platform.ts'
import { hashSecret, newSecret } from '../access-token-store.ts'
import type { Attempt } from './openid.ts'

const lifeMs = 10 * 60_000

/**
 * Notes an attempt to sign on, for ten minutes. The state is kept as a hash together with the
 * browser's secret: an answer that another browser brings finds nothing.
 */
export async function beginAttempt(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  provider: string,
  redirectUri: string,
  browser: string,
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
      expires_at: new Date(clock.now().getTime() + lifeMs),
    })
    .execute()
  return attempt
}

/** Uses an attempt up; null when it is unknown, another browser's, or too old. */
export async function endAttempt(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  provider: string,
  state: string,
  browser: string | null,
): Promise<(Attempt & { redirectUri: string }) | null> {
  if (!state || !browser) return null
  const row = await db
    .deleteFrom('sign_on_states')
    .where('state_hash', '=', hashSecret(state + browser))
    .where('provider', '=', provider)
    .where('expires_at', '>', clock.now())
    .returning(['redirect_uri', 'code_verifier', 'nonce'])
    .executeTakeFirst()
  if (!row) return null
  return { state, nonce: row.nonce, codeVerifier: row.code_verifier, redirectUri: row.redirect_uri }
}
