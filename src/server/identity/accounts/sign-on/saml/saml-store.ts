import * as z from 'zod'
import type { Platform } from '../../../../platform/platform.ts'
import { hashSecret, newSecret } from '../../tokens/access-token-store.ts'
import type { Claims } from '../sign-on-service.ts'

const answerMs = 60_000

const KeptClaims = z.object({
  subject: z.string(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  isOfHouse: z.boolean(),
  name: z.string().nullable(),
  locale: z.string().nullable(),
  groups: z.union([z.array(z.string()), z.enum(['too_many', 'not_sent'])]),
  hint: z.string().optional(),
})

/** Consumes an assertion once across all processes. Returns false when it was used. Stored until it expires. */
export async function takeAssertion({ db }: Pick<Platform, 'db'>, id: string, until: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows: taken } = await db
    .insertInto('saml_assertions')
    .values({ assertion_hash: hashSecret(id), expires_at: until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return taken === 1n
}

/** Stores a service's response for a minute. Returns the code to fetch it. */
export async function keepAnswer(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  requestId: string,
  claims: Claims,
): Promise<string> {
  const code = newSecret()
  const expires_at = new Date(clock.now().getTime() + answerMs)
  await db
    .insertInto('sign_on_answers')
    .values({
      code_hash: hashSecret(code),
      request_id: requestId,
      claims: JSON.stringify(claims),
      expires_at,
    })
    .execute()
  return code
}

/** Fetches a response once, for the request it belongs to. */
export async function fetchAnswer(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  requestId: string,
  code: string,
): Promise<Claims | null> {
  const row = await db
    .deleteFrom('sign_on_answers')
    .where('code_hash', '=', hashSecret(code))
    .where('request_id', '=', requestId)
    .where('expires_at', '>', clock.now())
    .returning('claims')
    .executeTakeFirst()
  return row ? KeptClaims.parse(row.claims) : null
}
