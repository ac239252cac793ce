import type { Connection } from '#shared/identity/accounts/own-account.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { changed } from '../audit/audit.ts'
import type { RecordOwn } from './second-factor/record-own.ts'
import { listOffered, listProviders, providerNames } from './sign-on/sign-on.ts'
import { findPasswordHash, listIdentities, lockPasswordHash, removeIdentity } from './store.ts'

/** Returns a user's sign-on services, oldest first, those still available, and whether they can also sign in by password. */
export async function listSignOnConnections({ db, config }: Pick<Platform, 'db' | 'config'>, userId: string) {
  const names = await providerNames({ db, config })
  const identities = await listIdentities(db, userId)
  const password_hash = await findPasswordHash(db, userId)
  const items: Connection[] = identities.map(({ provider, email, created_at }) => ({
    provider,
    name: names(provider),
    email,
    connected_at: created_at.toISOString(),
  }))
  const isConnected = (id: string) => items.some(({ provider }) => provider === id)
  const fixed = (await listProviders({ db, config })).filter(({ available }) => available)
  const others = [...fixed, ...(await listOffered(db))].filter(({ id }) => !isConnected(id))
  return {
    items,
    others: others.map(({ id, name }) => ({ provider: id, name })),
    has_password: password_hash !== null,
  }
}

/**
 * Disconnects a sign-on service, unless it is the only way to sign in.
 * @throws AppError `not_found`, `conflict`
 */
export async function disconnectSignOn(
  { db }: Pick<Platform, 'db'>,
  userId: string,
  provider: string,
  record: RecordOwn,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Locked, so that two concurrent removals cannot each rely on the other service.
    const password_hash = await lockPasswordHash(trx, userId)
    const identities = await listIdentities(trx, userId)
    const others = identities.filter((identity) => identity.provider !== provider)
    if (others.length === identities.length) throw new AppError('not_found', 'This service is not connected.')
    if (!password_hash && others.length === 0) {
      throw new AppError('conflict', 'Set a password first: this service is your only way to sign in.')
    }
    await removeIdentity(trx, userId, provider)
    await record(trx, { did: 'sign_on.disconnected', changes: changed('service', provider, null) })
  })
}
