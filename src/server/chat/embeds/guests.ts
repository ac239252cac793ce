import type { Language } from '#shared/platform/primitives.ts'
import { hashSecret, newSecret, toUser } from '../../identity/accounts/accounts.ts'
import type { Caller } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { findEmbedOf, insertVisitor, isVisitorOf, type OpenEmbed } from './visit-store.ts'
import { stillHolds } from './visitors.ts'

type Deps = Pick<Platform, 'grants' | 'db' | 'clock' | 'config'>

/** Returns the embed token by which strangers may ask an assistant outside of a page; null when it is open to none. */
export async function findOpenOf(deps: Deps, assistantId: string): Promise<OpenEmbed | null> {
  const found = await findEmbedOf(deps, assistantId)
  return found && (await stillHolds(deps, found)) ? found : null
}

/** Returns a visitor as a caller. It is the one with the id, if they came by the same token, otherwise a new one. */
export async function enterAsVisitor(
  deps: Deps,
  { payer, key_id, assistant_id }: OpenEmbed,
  visitorId: string | null,
  language: Language,
): Promise<Caller & { kind: 'visitor' }> {
  const isKnown = visitorId !== null && (await isVisitorOf(deps.db, visitorId, key_id))
  // No browser has this secret, so that no one else enters as this visitor.
  const hash = hashSecret(newSecret())
  const id = isKnown
    ? visitorId
    : await insertVisitor(deps.db, { keyId: key_id, hash, language, at: deps.clock.now() })
  const visitor = { id, key_id, assistant_id }
  const verified = payer.email_verified_at !== null
  return { kind: 'visitor', ...toUser(payer), language, visitor, tokenHash: hash, verified }
}
