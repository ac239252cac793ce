import type { FastifyRequest } from 'fastify'
import * as contract from '#shared/identity/accounts/scim.ts'
import { type Caller, type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorOf, writeAudit } from '../../audit/audit.ts'
import { hashSecret, newSecret } from '../tokens/access-token-store.ts'
import { companyName, dropToken, putToken, readDirectory } from './token-store.ts'

/** Prefix of directory tokens. */
const PREFIX = 'atr_scim_'

/** Serves the directory connection of a company to its administrators. */
export function serveDirectories(server: Server, deps: Platform): void {
  const { db, clock } = deps
  const show = async (companyId: string): Promise<contract.Directory> => {
    const found = await readDirectory(db, companyId)
    const { connected_at, last_used_at, changed_name, changed_at, refused, refused_at, ...counts } = found
    return {
      ...counts,
      last_change: changed_name && changed_at ? { name: changed_name, at: changed_at.toISOString() } : null,
      last_refusal: refused && refused_at ? { detail: refused, at: refused_at.toISOString() } : null,
      url: deps.publicUrl() + contract.SCIM_BASE,
      connected_at: connected_at?.toISOString() ?? null,
      last_used_at: last_used_at?.toISOString() ?? null,
    }
  }
  const write = async (
    { user, request, companyId }: { user: Caller; request: FastifyRequest; companyId: string },
    act: (
      trx: Parameters<typeof writeAudit>[0],
    ) => Promise<'directory.connected' | 'directory.disconnected' | null>,
  ) =>
    db.transaction().execute(async (trx) => {
      const did = await act(trx)
      if (!did) return
      const subject = await companyName(trx, companyId)
      await writeAudit(trx, clock.now(), { actor: actorOf(user, request), did, subject, companyId })
    })
  serve(server, contract.getDirectory, { handle: ({ params }) => show(params.companyId) })
  serve(server, contract.connectDirectory, {
    handle: async ({ user, request, params: { companyId } }) => {
      const token = PREFIX + newSecret()
      await write({ user, request, companyId }, async (trx) => {
        await putToken(trx, companyId, hashSecret(token), clock.now())
        return 'directory.connected'
      })
      return { ...(await show(companyId)), token }
    },
  })
  serve(server, contract.disconnectDirectory, {
    handle: ({ user, request, params: { companyId } }) =>
      write({ user, request, companyId }, async (trx) =>
        (await dropToken(trx, companyId)) ? 'directory.disconnected' : null,
      ),
  })
}
