import * as contract from '#shared/api-keys/api-keys.ts'
import { hasBetaAccess, hashSecret, newSecret, type OtherBearer, visitOf } from '../accounts/accounts.ts'
import { cleanCharacters } from '../db/db.ts'
import { type Server, serve } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import { findHolder, insertKey, listKeys, revokeKey, touchKey } from './store.ts'

/** So much of a secret is shown again: its prefix and a few letters. */
const HINT_LENGTH = contract.KEY_PREFIX.length + 4

/** The keys other programs call with in a person's name. */
export function serveApiKeys(server: Server, deps: Platform): void {
  serve(server, contract.listApiKeys, {
    handle: async ({ user, query: { page, limit } }) => {
      const found = await listKeys(deps, user.id, { skip: (page - 1) * limit, limit })
      return { ...found, has_more: page * limit < found.total }
    },
  })
  serve(server, contract.createApiKey, {
    handle: async ({ user, body }) => {
      const secret = contract.KEY_PREFIX + newSecret()
      const kept = { hash: hashSecret(secret), hint: secret.slice(0, HINT_LENGTH) }
      const name = cleanCharacters(body.name)
      return { key: await insertKey(deps, user.id, { ...body, name }, kept), secret }
    },
  })
  serve(server, contract.revokeApiKey, { handle: ({ params }) => revokeKey(deps, params.keyId) })
}

/** Finds in whose name a program calls; null when its key is unknown, has ended or was revoked. */
export function createFindKeyHolder(deps: Pick<Platform, 'db' | 'clock' | 'config'>): OtherBearer {
  return {
    prefix: contract.KEY_PREFIX,
    find: async (secret, request) => {
      const tokenHash = hashSecret(secret)
      const found = await findHolder(deps, tokenHash)
      if (!found || !hasBetaAccess(deps.config, found.row)) return null
      const { user, key, verified, used_at } = found
      await touchKey(deps, { id: key.id, usedAt: used_at, address: visitOf(request).address })
      return { kind: 'key', ...user, key, tokenHash, verified }
    },
  }
}
