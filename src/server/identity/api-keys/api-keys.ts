import * as contract from '#shared/identity/api-keys/api-keys.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  assertSignedIn,
  hashSecret,
  mayEnter,
  newSecret,
  type OtherBearer,
  visitOf,
} from '../accounts/accounts.ts'
import { auditBy, changed } from '../audit/audit.ts'
import { findHolder, insertKey, listKeys, revokeKey, touchKey, updateKeyBudget } from './store.ts'

export { touchKey } from './store.ts'

/** Visible part of a key: its prefix and four characters. */
const HINT_LENGTH = contract.KEY_PREFIX.length + 4

/** Serves the API keys of users. */
export function serveApiKeys(server: Server, deps: Platform): void {
  serve(server, contract.listApiKeys, {
    handle: async ({ user, query: { page, limit } }) => {
      const found = await listKeys(deps, user.id, { skip: (page - 1) * limit, limit })
      return { ...found, has_more: page * limit < found.total }
    },
  })
  serve(server, contract.createApiKey, {
    handle: async ({ user, body, request }) => {
      const secret = contract.KEY_PREFIX + newSecret()
      const kept = { hash: hashSecret(secret), hint: secret.slice(0, HINT_LENGTH) }
      const name = cleanCharacters(body.name)
      const audit = auditBy(deps, { user, request })
      const key = await deps.db.transaction().execute(async (trx) => {
        await assertSignedIn(trx, user)
        const made = await insertKey({ ...deps, db: trx }, user.id, { ...body, name }, kept)
        const changes = changed('scopes', null, made.scopes.join(', '))
        await audit(trx, { did: 'key.created', subject: name, subjectId: made.id, changes })
        return made
      })
      return { key, secret }
    },
  })
  serve(server, contract.setKeyBudget, {
    handle: ({ params: { keyId }, user, body: { monthly_budget }, request }) =>
      deps.db.transaction().execute(async (trx) => {
        const set = await updateKeyBudget({ ...deps, db: trx }, keyId, monthly_budget)
        if (!set) throw new AppError('not_found', 'API key not found')
        const { key, before } = set
        const changes = changed('monthly_budget', inWords(before), inWords(monthly_budget))
        await auditBy(deps, { user, request })(trx, {
          ...{ did: 'key.changed', subject: key.name, subjectId: key.id, changes },
        })
        return key
      }),
  })
  serve(server, contract.revokeApiKey, {
    handle: ({ params: { keyId }, user, request }) =>
      deps.db.transaction().execute(async (trx) => {
        const name = await revokeKey({ ...deps, db: trx }, keyId)
        if (name !== null)
          await auditBy(deps, { user, request })(trx, {
            ...{ did: 'key.revoked', subject: name, subjectId: keyId },
          })
      }),
  })
}

const inWords = (dollars: number | null) => (dollars === null ? null : String(dollars))

/** Creates the lookup of a key's user; null when the key is unknown, expired or revoked. */
export function createFindKeyHolder(
  deps: Pick<Platform, 'db' | 'clock' | 'config' | 'networks'>,
): OtherBearer {
  return {
    prefix: contract.KEY_PREFIX,
    find: async (secret, request) => {
      const tokenHash = hashSecret(secret)
      const found = await findHolder(deps, tokenHash)
      if (!found || !mayEnter(deps.config, found.row)) return null
      const { key, verified, used_at } = found
      const { address } = visitOf(request)
      const user = await deps.networks.admit(found.user, address)
      await touchKey(deps, { id: key.id, usedAt: used_at, address })
      return { kind: 'key', ...user, key, tokenHash, verified }
    },
  }
}
