import type { Platform } from '../../../platform/platform.ts'
import { createServices } from './providers.ts'
import { findSession, insertSession } from './sign-out-store.ts'

/** Longer hints do not fit into an address. */
const MAX_HINT = 6_000

/** Stores what ends the session at a service later. Returns its id, null when the service does not sign people out. */
export async function keepSession(
  { db, clock, secrets }: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  { userId, provider, hint }: { userId: string; provider: string; hint: string | undefined },
): Promise<string | null> {
  if (hint === undefined || hint.length > MAX_HINT) return null
  const sealed = { hint_sealed: secrets.seal(hint), created_at: clock.now() }
  return insertSession(db, { user_id: userId, provider, ...sealed })
}

/**
 * Returns the function that finds the address that ends the session at the service that a sign-in came through; null without one. A
 * service that does not answer does not prevent signing out here.
 */
export function createSignOut(deps: Platform): (tokenHash: Buffer) => Promise<string | null> {
  const findService = createServices(deps)
  return async (tokenHash) => {
    const session = await findSession(deps.db, tokenHash)
    if (!session) return null
    try {
      const service = (await findService(session.provider))?.service
      const back = `${deps.publicUrl()}/login`
      const url = await service?.signOut?.(deps.secrets.open(session.hint_sealed), back)
      return url?.href ?? null
    } catch (error) {
      deps.log.warn({ error }, 'The sign-on service could not be asked to sign out.')
      return null
    }
  }
}
