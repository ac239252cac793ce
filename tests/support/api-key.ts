import type { AllDeps } from '../../src/server/feature.ts'
import { hashSecret, newSecret } from '../../src/server/identity/accounts/accounts.ts'
import { KEY_PREFIX } from '../../src/shared/identity/api-keys/api-keys.ts'
import type { Scope } from '../../src/shared/platform/http.ts'

type Wish = { scopes?: Scope[]; monthly_budget?: number | null }

/** Creates an API key of a user, with the headers of a program that uses it. */
export async function anApiKey(
  { deps: { db, clock } }: { deps: Pick<AllDeps, 'db' | 'clock'> },
  { id: user_id }: { id: string },
  { scopes = ['chat'], monthly_budget = null }: Wish = {},
) {
  const secret = KEY_PREFIX + newSecret()
  const kept = { secret_hash: hashSecret(secret), hint: secret.slice(0, 8), created_at: clock.now() }
  const key = await db
    .insertInto('access_keys')
    .values({ user_id, name: 'ERP', scopes, monthly_budget, ...kept })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { key, secret, headers: { authorization: `Bearer ${secret}` } }
}
