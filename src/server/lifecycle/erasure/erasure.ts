import * as contract from '#shared/lifecycle/erasure/erasure.ts'
import { AppError } from '#shared/platform/errors.ts'
import { countShared, findHeirs } from '../../chat/assistants/assistants.ts'
import {
  assertItIsThem,
  countedAddress,
  hashSecret,
  requestLanguage,
  takeTurn,
} from '../../identity/accounts/accounts.ts'
import { actorOf, auditBy } from '../../identity/audit/audit.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import type { Deps } from '../../tools/deps.ts'
import { beginErasure } from './begin-erasure.ts'
import { countContent, countWaysIn, isAccountHeld } from './close-store.ts'
import { registerErasing } from './erase.ts'
import { findByToken } from './store.ts'
import { showReceipt, writeReceipt } from './write-receipt.ts'

export { emptyWebCaches, renewSamples, takeChats } from './content-store.ts'
export { forgetVersions, rewriteVectors, VERSIONS_MS } from './erase-vectors.ts'

/** Serves the erasure of accounts and its receipts. */
export function serveErasure(server: Server, deps: Deps): void {
  const { db } = deps
  registerErasing(deps)
  serve(server, contract.countOwn, {
    handle: async ({ user }) => ({
      counts: { ...(await countContent(db, user.id)), ...(await countWaysIn(db, user.id)) },
      shared: await listShared(deps, user.id),
      is_held: await isAccountHeld(db, user.id),
    }),
  })
  serve(server, contract.countShared, {
    handle: async ({ params }) => ({
      shared: await listShared(deps, params.userId),
      is_held: await isAccountHeld(db, params.userId),
    }),
  })
  serve(server, contract.eraseOwn, {
    handle: async ({ user, body, request }) => {
      await assertItIsThem(deps, user, body.current_password ?? '')
      const by = { actor: actorOf(user, request), admin: null, language: requestLanguage(request) }
      return beginErasure(deps, user.id, { ...by, ...body, audit: auditBy(deps, { user, request }) })
    },
  })
  serve(server, contract.erasePerson, {
    handle: async ({ user, params, body, request }) => {
      await assertItIsThem(deps, user, body.current_password ?? '')
      const by = { actor: actorOf(user, request), admin: user, language: requestLanguage(request) }
      return beginErasure(deps, params.userId, { ...by, ...body, audit: auditBy(deps, { user, request }) })
    },
  })
  serve(server, contract.readReceipt, {
    handle: async ({ params, request }) => showReceipt(await find(request.ip, params.token)),
  })
  serve(server, contract.readReceiptFile, {
    handle: async ({ params, query, request, reply }) => {
      const receipt = showReceipt(await find(request.ip, params.token))
      await reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('content-disposition', 'attachment; filename="atrium-receipt.txt"')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .send(writeReceipt(receipt, query.language))
      // The file itself is the response.
      return undefined as never
    },
  })

  async function find(ip: string, token: string) {
    await takeTurn(deps, 'shared_address', countedAddress(ip))
    const found = await findByToken(db, hashSecret(token))
    if (!found) throw new AppError('not_found', 'This receipt is not there, or no longer.')
    return found
  }
}

/** Maximum heirs to choose from. */
const MAX_HEIRS = 50

async function listShared({ db }: Pick<Deps, 'db'>, ownerId: string): Promise<contract.SharedOnes> {
  const heirs = await findHeirs(db, { ownerId }, { limit: MAX_HEIRS })
  return { assistants: await countShared(db, ownerId), heirs }
}
