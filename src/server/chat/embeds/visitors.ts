import { EMBED_PREFIX, VISIT_PREFIX } from '#shared/chat/embeds/addresses.ts'
import { AppError } from '#shared/platform/errors.ts'
import { hashSecret, mayEnter, type OtherBearer, toUser, visitOf } from '../../identity/accounts/accounts.ts'
import { findAllowed } from '../../platform/access/access.ts'
import type { Platform } from '../../platform/platform.ts'
import { findEmbed, findVisitor, type OpenEmbed, touchVisitor } from './visit-store.ts'

type Deps = Pick<Platform, 'grants' | 'db' | 'clock' | 'config'>

/** Returns what an embed token opens. Returns null when it is unknown, expired or revoked, or its owner lost edit rights. */
export async function findOpen(deps: Deps, token: string): Promise<OpenEmbed | null> {
  if (!token.startsWith(EMBED_PREFIX)) return null
  const found = await findEmbed(deps, hashSecret(token))
  return found && (await stillHolds(deps, found)) ? found : null
}

/** Creates the lookup of visitors; it requires that their embed token is still valid. */
export function createFindVisitor(deps: Deps): OtherBearer {
  return {
    prefix: VISIT_PREFIX,
    find: async (secret, request) => {
      const tokenHash = hashSecret(secret)
      const found = await findVisitor(deps, tokenHash)
      if (!found || !(await stillHolds(deps, found))) return null
      const { payer, visitor_id, key_id, assistant_id, visitor_language: language, last_seen_at } = found
      const visitor = { id: visitor_id, key_id, assistant_id }
      await touchVisitor(deps, visitor, last_seen_at, visitOf(request).address)
      const verified = payer.email_verified_at !== null
      return { kind: 'visitor', ...toUser(payer), language, visitor, tokenHash, verified }
    },
  }
}

/** Returns whether the token's owner may still edit the assistant. */
export async function stillHolds(
  { db, config, grants }: Deps,
  { payer, assistant_id }: OpenEmbed,
): Promise<boolean> {
  if (!mayEnter(config, payer)) return false
  const closed = await grants.closedTo(payer.id)
  if (closed.has('feature', 'embeds') || closed.has('assistant', assistant_id)) return false
  try {
    await findAllowed(db, { kind: 'user', ...toUser(payer) }, 'write assistant', assistant_id)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
