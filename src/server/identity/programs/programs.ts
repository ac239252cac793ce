import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/identity/programs/programs.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashSecret, mayEnter, visitOf } from '../accounts/accounts.ts'
import { touchKey } from '../api-keys/api-keys.ts'
import { auditBy } from '../audit/audit.ts'
import { agree, showRequest } from './connect.ts'
import { endProgram, findProgram, listConnected, removeEnded } from './store.ts'
import { ACCESS_PREFIX } from './tokens.ts'

export { RESOURCE_METADATA, serveOAuth } from './oauth.ts'

/** Serves a user's connected programs and consent requests. */
export function servePrograms(server: Server, deps: Platform): void {
  serve(server, contract.listPrograms, {
    handle: async ({ user, query: { page, limit } }) => {
      const found = await listConnected(deps, user.id, { skip: (page - 1) * limit, limit })
      return { ...found, has_more: page * limit < found.total }
    },
  })
  serve(server, contract.lookAtProgram, { handle: async ({ body }) => showRequest(deps, body) })
  serve(server, contract.connectProgram, {
    handle: async ({ user, body }) => ({ redirect_to: await agree(deps, user, body) }),
  })
  serve(server, contract.disconnectProgram, {
    handle: ({ params: { keyId }, user, request }) =>
      deps.db.transaction().execute(async (trx) => {
        const ended = await endProgram(trx, keyId, deps.clock.now())
        if (ended)
          await auditBy(deps, { user, request })(trx, {
            ...{ did: 'key.revoked', subject: ended.name, subjectId: keyId },
          })
      }),
  })
  deps.jobs.register('programs.cleanup', () => removeEnded(deps), { cron: '17 * * * *' })
}

/** Returns the user of a program's access token; null when it has ended or the user may not enter. @throws AppError `outside_networks` */
export async function findTokenHolder(
  deps: Pick<Platform, 'db' | 'clock' | 'config' | 'networks'>,
  token: string,
  request: FastifyRequest,
): Promise<Caller | null> {
  if (!token.startsWith(ACCESS_PREFIX)) return null
  const tokenHash = hashSecret(token)
  const found = await findProgram(deps, tokenHash)
  if (!found || !mayEnter(deps.config, found.row)) return null
  const { key, verified, used_at } = found
  const { address } = visitOf(request)
  const user = await deps.networks.admit(found.user, address)
  await touchKey(deps, { id: key.id, usedAt: used_at, address })
  return { kind: 'key', ...user, key, tokenHash, verified }
}
