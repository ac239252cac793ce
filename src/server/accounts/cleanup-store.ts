import type { Platform } from '../platform.ts'

/** Declares the hourly job that removes tokens, states and counts that have ended. */
export function registerCleanup(deps: Pick<Platform, 'db' | 'clock' | 'jobs'>): void {
  deps.jobs.register('accounts.cleanup', () => removeExpired(deps), { cron: '17 * * * *' })
}

/** Removes what has ended. Nothing reads such rows; they only take room. */
export async function removeExpired({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('access_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_on_states').where('expires_at', '<=', now).execute()
  await db.deleteFrom('known_devices').where('expires_at', '<=', now).execute()
  await db.deleteFrom('rate_limits').where('expires_at', '<=', now).execute()
}
