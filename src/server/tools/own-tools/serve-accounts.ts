import type { FastifyRequest } from 'fastify'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import type { AccountOutcome } from '#shared/tools/own-tools/accounts.ts'
import * as contract from '#shared/tools/own-tools/accounts.ts'
import { browserSecret, keepBrowserSecret, visitOf } from '../../identity/accounts/accounts.ts'
import { actorById, auditBy, writeAudit } from '../../identity/audit/audit.ts'
import { findAllowed } from '../../platform/access/access.ts'
import { addRoute } from '../../platform/http/add-route.ts'
import { ownOrigin } from '../../platform/http/own-origin.ts'
import { type Server, serve } from '../../platform/http/serve.ts'
import { isSameService, type Service } from '../../platform/outbound/oauth/oauth-service.ts'
import type { Deps } from '../deps.ts'
import { followServer } from './mcp/follow.ts'
import { sayWhy } from './mcp/say-why.ts'
import { findAccount, keepAccount } from './oauth/account-store.ts'
import { clientDocument } from './oauth/client-document.ts'
import { registerContinuing, requestContinuing } from './oauth/continue-runs.ts'
import { open } from './oauth/open-account.ts'
import { beginVisit, disconnect, endVisit, readVisit, type Visit } from './oauth/visit.ts'
import { signingOf } from './service-of-set.ts'
import { findSetRow, isToolOf } from './store.ts'

/** Serves people's accounts at services that tools may use: connecting and disconnecting them. */
export function serveToolAccounts(server: Server, deps: Deps): void {
  const { db, log } = deps
  registerContinuing(deps)

  serve(server, contract.getToolAccount, {
    handle: async ({ user, params: { toolSetId: setId } }) => {
      const set = await findAllowed(db, user, 'read tool-set', setId)
      const { service, origins } = await signingOf(deps, set)
      const row = await findAccount(db, { setId, userId: user.id })
      const kept = row && open(deps, row.sealed)
      const holds = kept && service && isSameService(kept.service, service)
      return {
        service: service && hostOf(service),
        origins,
        connected_at: holds ? row.connected_at.toISOString() : null,
      }
    },
  })
  serve(server, contract.connectToolAccount, {
    handle: async ({ user, params: { toolSetId: setId }, body: { tool_id }, request, reply }) => {
      const set = await findAllowed(db, user, 'read tool-set', setId)
      const callback = `${ownOrigin(request, deps.publicUrl())}${API_BASE}${contract.ACCOUNT_RETURN}`
      const { service } = await signingOf(deps, set, callback).catch(sayWhy)
      if (!service) throw new Error('A service that was looked for is known.')
      const isTools = tool_id && (await isToolOf(db, setId, tool_id))
      const back = isTools ? `/tools/${tool_id}` : `/tools/servers/${setId}`
      const browser = keepBrowserSecret(request, reply, request.protocol === 'https')
      return { url: await beginVisit(deps, service, { setId, userId: user.id, browser, back, callback }) }
    },
  })
  serve(server, contract.disconnectToolAccount, {
    handle: async ({ user, params: { toolSetId: setId }, request }) => {
      const told = await disconnect(deps, { setId, userId: user.id }, (trx, service) =>
        auditBy(deps, { user, request })(trx, {
          ...{ did: 'service.disconnected', subject: hostOf(service), subjectId: setId },
        }),
      )
      await deps.mcp.forget(setId)
      return { told }
    },
  })
  serve(server, contract.getClientDocument, {
    handle: async () => {
      const document = clientDocument(deps.publicUrl())
      if (!document) throw new AppError('not_available', 'This installation has no public https address.')
      return document
    },
  })
  if (!server.servesWeb) return
  server.routes.push(contract.returnFromService)
  addRoute(server, {
    ...{ method: 'GET', url: contract.ACCOUNT_RETURN, body: null },
    handle: async (request, reply) => {
      const arrival = request as Arrival
      const visit = readVisit(deps, textOf(arrival.query.state))
      if (!visit) return reply.redirect('/tools?account=expired')
      const outcome = await finish(visit, arrival)
      return reply.header('cache-control', 'no-store').redirect(`${visit.back}?account=${outcome}`)
    },
  })

  async function finish(visit: Visit, request: Arrival): Promise<AccountOutcome> {
    const { query } = request
    const set = await findSetRow(db, visit.setId)
    if (!set) return 'failed'
    const iss = query.iss === undefined ? undefined : textOf(query.iss)
    const brought = { code: textOf(query.code), error: textOf(query.error), iss }
    const signing = await signingOf(deps, set)
    const ended = await endVisit(deps, visit, signing, { ...brought, browser: browserSecret(request) })
    if (typeof ended === 'string') return ended
    await deps.jobs.prepare()
    await db.transaction().execute(async (trx) => {
      await keepAccount(trx, visit, ended.sealed)
      await requestContinuing(deps, visit, trx)
      const who = await actorById(trx, visit.userId, visitOf(request).address)
      const subject = signing.service ? hostOf(signing.service) : set.name
      const entry = { did: 'service.connected' as const, subject, subjectId: set.id }
      await writeAudit(trx, deps.clock.now(), { ...who, ...entry })
    })
    // A server is listed with its owner's account.
    if (set.kind === 'mcp' && set.user_id === visit.userId)
      await followServer(deps, set.id).catch((error) => log.info({ error }, 'A server could not be listed.'))
    return 'connected'
  }
}

const hostOf = ({ authorize }: Service) => new URL(authorize).host

type Arrival = FastifyRequest<{ Querystring: Record<string, unknown> }>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
