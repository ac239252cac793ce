import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import * as contract from '#shared/knowledge/connectors/sign-in.ts'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import {
  assertSignedIn,
  browserSecret,
  keepBrowserSecret,
  readUser,
  visitOf,
} from '../../../identity/accounts/accounts.ts'
import { actorById, changed, writeAudit } from '../../../identity/audit/audit.ts'
import { findAllowed } from '../../../platform/access/access.ts'
import { addRoute } from '../../../platform/http/add-route.ts'
import { ownOrigin } from '../../../platform/http/own-origin.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import { askForAccess, exchangeCode } from '../../../platform/outbound/oauth/oauth.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import type { ConnectorRow } from '../connector-store.ts'
import { sourceOf } from '../known-sources.ts'
import { type KeptTokens, serviceOf, trustedOf } from './open-account.ts'
import { keepSignIn } from './sign-in-store.ts'

const VISIT_MS = 10 * 60_000

/** A person's visit to the page of a source. It is sealed into the `state` that the page returns. */
const Visit = z.object({
  ...{ connectorId: z.string(), userId: z.string() },
  /** Hash of the token with which the person is signed in here. The visit ends with it. */
  tokenHash: z.base64url(),
  /** Binds it to the browser it began in. */
  browser: z.string(),
  callback: z.string(),
  verifier: z.string(),
  until: z.number(),
})
type Visit = z.infer<typeof Visit>

/** Returns where the browser goes; null for a state that is of something else. */
type Taker = (arrival: Arrival) => Promise<string | null>
const takers = new WeakMap<Server, Taker[]>()

/** Ends other visits that return to the same address, so that an installation registers one with each service. */
export function onReturn(server: Server, take: Taker): void {
  takers.set(server, [...(takers.get(server) ?? []), take])
}

type RequestSync = (trx: RunDeps['db'], connectorId: string) => Promise<void>

/** Serves the sign-in of connectors on the page of their source, and the return from it. */
export function serveSignIn(server: Server, deps: RunDeps, requestSync: RequestSync): void {
  const { db, config, clock, secrets, publicUrl } = deps
  serve(server, contract.signInConnector, {
    handle: async ({ params: { connectorId }, user, request, reply }) => {
      const row = await findAllowed(db, user, 'manage connector', connectorId)
      const source = sourceOf(row.source)
      const service = serviceOf(source, config)
      if (!service || !source.signIn)
        throw new AppError('not_available', 'This source has no sign-in page on this installation.')
      const callback = `${ownOrigin(request, publicUrl())}${API_BASE}${contract.SIGN_IN_RETURN}`
      const { page, verifier } = await askForAccess(service, callback)
      for (const [name, value] of Object.entries(source.signIn.parameters)) page.searchParams.set(name, value)
      const browser = keepBrowserSecret(request, reply, request.protocol === 'https')
      const until = clock.now().getTime() + VISIT_MS
      const tokenHash = user.tokenHash.toString('base64url')
      const visit: Visit = { connectorId, userId: user.id, tokenHash, browser, callback, verifier, until }
      page.searchParams.set('state', secrets.seal(JSON.stringify(visit)))
      return { url: page.href }
    },
  })
  if (!server.servesWeb) return
  server.routes.push(contract.returnFromSource)
  addRoute(server, {
    ...{ method: 'GET', url: contract.SIGN_IN_RETURN, body: null },
    handle: async (request, reply) => {
      const arrival = request as Arrival
      for (const take of takers.get(server) ?? []) {
        const place = await take(arrival)
        if (place !== null) return reply.header('cache-control', 'no-store').redirect(place)
      }
      const visit = readVisit(deps, textOf(arrival.query.state))
      const outcome = visit ? await endVisit(deps, visit, arrival, requestSync) : 'expired'
      const page = `/documents/connectors${visit ? `/${visit.connectorId}` : ''}`
      return reply.header('cache-control', 'no-store').redirect(`${page}?sign_in=${outcome}`)
    },
  })
}

export type Arrival = FastifyRequest<{ Querystring: Record<string, unknown> }>
type Deps = Pick<Platform, 'secrets'>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns null for a state that was not sealed here. */
function readVisit({ secrets }: Deps, state: string): Visit | null {
  try {
    return Visit.parse(JSON.parse(secrets.open(state)))
  } catch {
    return null
  }
}

/**
 * Stores the sign-in when a browser returns. Only the browser of the visit may end it. Its person must still be signed in, and manage the
 * connector from the address of the browser, also after the service has issued the tokens.
 */
async function endVisit(
  deps: RunDeps,
  visit: Visit,
  request: Arrival,
  requestSync: RequestSync,
): Promise<contract.SignInOutcome> {
  if (visit.browser !== browserSecret(request) || visit.until <= deps.clock.now().getTime()) return 'expired'
  const [code, error] = [textOf(request.query.code), textOf(request.query.error)]
  if (error === 'access_denied') return 'refused'
  if (code === '') return 'failed'
  try {
    const row = await findManaged(deps, visit, request)
    const service = serviceOf(sourceOf(row.source), deps.config)
    if (!service) return 'failed'
    const returned = { code, verifier: visit.verifier, callback: visit.callback }
    const { tokens, method } = await exchangeCode(deps, service, returned, trustedOf(service))
    const kept: KeptTokens = { service: { ...service, method }, ...tokens }
    await deps.jobs.prepare()
    await deps.db.transaction().execute(async (trx) => {
      await findManaged({ ...deps, db: trx }, visit, request)
      const sealed = deps.secrets.seal(JSON.stringify(kept))
      if (await keepSignIn(trx, row.id, sealed, deps.clock.now())) await requestSync(trx, row.id)
      const who = await actorById(trx, visit.userId, visitOf(request).address)
      const what = { subject: row.name, subjectId: row.id, changes: changed('sign_in', null, 'changed') }
      await writeAudit(trx, deps.clock.now(), { ...who, did: 'connector.changed', ...what })
    })
    return 'connected'
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return 'expired'
    deps.log.warn({ error, connector: visit.connectorId }, 'A connector could not be signed in.')
    return 'failed'
  }
}

/** Returns the connector of a visit. @throws AppError when its person may no longer manage it, or not from this address */
async function findManaged(
  deps: Pick<RunDeps, 'db' | 'config' | 'networks'>,
  { userId, tokenHash, connectorId }: Visit,
  request: Arrival,
): Promise<ConnectorRow> {
  await assertSignedIn(deps.db, { id: userId, tokenHash: Buffer.from(tokenHash, 'base64url') })
  const person = await deps.networks.admit(await readUser(deps, userId), visitOf(request).address)
  return findAllowed(deps.db, { ...person, kind: 'user' }, 'manage connector', connectorId)
}
