import { sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorById, changed, writeAudit } from '../../audit/audit.ts'
import { tellOldAddress } from '../profile/change-email.ts'
import { setEmail } from '../store.ts'
import { lockAccount } from '../tokens/access-token-store.ts'
import { providerNames } from './providers.ts'

type Said = { provider: string; subject: string; email: string | null; emailVerified: boolean }

/**
 * Gives an account the address that its sign-on service gives the person now. Only an address that the service proved counts, only while
 * the account still has the one that the service gave before, and never an address of another account. Notifies the old address.
 */
export async function followEmail(
  deps: Pick<Platform, 'db' | 'clock' | 'config' | 'jobs'>,
  userId: string,
  { provider, subject, email, emailVerified }: Said,
): Promise<void> {
  if (!email || !emailVerified) return
  const earlier = await deps.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select('users.email')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .where('users.id', '=', userId)
    .where('users.deactivated_at', 'is', null)
    .where(sql<boolean>`lower(identities.email) = lower(users.email)`)
    .where(sql<boolean>`lower(users.email) <> lower(${email})`)
    .executeTakeFirst()
  if (!earlier) return
  const names = await providerNames(deps)
  try {
    await deps.db.transaction().execute(async (trx) => {
      await lockAccount(trx, userId)
      await setEmail({ ...deps, db: trx }, userId, email, { isProved: true })
      const identity = trx.updateTable('identities').set({ email }).where('subject', '=', subject)
      await identity.where('provider', '=', provider).execute()
      const { actor: person, companyId } = await actorById(trx, userId, null)
      const actor = { id: null, name: names(provider), address: null }
      await writeAudit(trx, deps.clock.now(), {
        ...{ actor, subject: person.name, subjectId: userId, companyId, did: 'account.changed' },
        changes: changed('email', earlier.email, email),
      })
    })
  } catch (error) {
    // Somebody else has the address. The account keeps its own.
    if (error instanceof AppError && error.code === 'email_taken') return
    throw error
  }
  await tellOldAddress(deps, userId, earlier.email)
}
