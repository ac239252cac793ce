import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import * as contract from '#shared/tools/actions/personal-accounts.ts'
import {
  assertSignedIn,
  browserSecret,
  keepBrowserSecret,
  readUser,
  visitOf,
} from '../../../identity/accounts/accounts.ts'
import { actorById, auditBy, writeAudit } from '../../../identity/audit/audit.ts'
import { addRoute } from '../../../platform/http/add-route.ts'
import { ownOrigin } from '../../../platform/http/own-origin.ts'
import { type Caller, type Server, serve } from '../../../platform/http/serve.ts'
import { askForAccess, exchangeCode } from '../../../platform/outbound/oauth/oauth.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findCalendar } from '../providers/caldav/dav-requests.ts'
import { checkMailbox } from '../providers/imap/imap-account.ts'
import type { KeptTokens } from './account-tokens.ts'
import { findAccount, keepAccount, listAccounts, removeAccount } from './personal-account-store.ts'
import { findSignInService, hasSignIn, trustedOf } from './sign-in-services.ts'

const VISIT_MS = 10 * 60_000
const TRY_MS = 45_000

/** A person's visit to the page of a service. It is sealed into the `state` that the page returns. */
const Visit = z.object({
  ...{ kind: contract.AccountKind, userId: z.string() },
  /** Hash of the token with which the person is signed in here. The visit ends with it. */
  tokenHash: z.base64url(),
  /** Binds it to the browser it began in. */
  browser: z.string(),
  callback: z.string(),
  verifier: z.string(),
  until: z.number(),
})
type Visit = z.infer<typeof Visit>

/** Serves the accounts that people connect for themselves: entered by hand, or on the page of their service. */
export function servePersonalAccounts(server: Server, deps: Platform): void {
  const { db, config, clock, secrets } = deps
  const show = async (userId: string, kind: contract.AccountKind): Promise<contract.PersonalAccount> => {
    const row = await findAccount(db, { userId, kind })
    return toAccount(deps, kind, row)
  }
  serve(server, contract.listPersonalAccounts, {
    handle: async ({ user }) => {
      const rows = new Map((await listAccounts(db, user.id)).map((row) => [row.kind, row]))
      return { items: contract.AccountKind.options.map((kind) => toAccount(deps, kind, rows.get(kind))) }
    },
  })
  const keep = async (
    { user, request }: { user: Caller; request: FastifyRequest },
    kind: contract.EnteredKind,
    settings: contract.ImapSettings | contract.CaldavSettings,
  ) => {
    const { address } = settings
    await db.transaction().execute(async (trx) => {
      const sealed = secrets.seal(JSON.stringify(settings))
      await keepAccount(trx, { userId: user.id, kind }, { address, sealed, now: clock.now() })
      await auditBy(deps, { user, request })(trx, {
        did: 'service.connected',
        subject: address,
        subjectId: kind,
      })
    })
    return show(user.id, kind)
  }
  serve(server, contract.connectMailbox, {
    handle: async ({ user, request, body }) => {
      await tried(checkMailbox({ settings: body, config, signal: AbortSignal.timeout(TRY_MS) }))
      return keep({ user, request }, 'imap', body)
    },
  })
  serve(server, contract.connectCalendar, {
    handle: async ({ user, request, body }) => {
      const reach = { settings: body, config, outbound: deps.outbound, signal: AbortSignal.timeout(TRY_MS) }
      return keep({ user, request }, 'caldav', { ...body, url: await tried(findCalendar(reach)) })
    },
  })
  serve(server, contract.disconnectPersonalAccount, {
    handle: async ({ user, request, params: { accountKind: kind } }) => {
      await db.transaction().execute(async (trx) => {
        const address = (await findAccount(trx, { userId: user.id, kind }))?.address ?? ''
        if (!(await removeAccount(trx, { userId: user.id, kind }))) return
        await auditBy(deps, { user, request })(trx, {
          did: 'service.disconnected',
          subject: address,
          subjectId: kind,
        })
      })
    },
  })
  serveVisits(server, deps)
}

/** A server that refuses the given settings or cannot be reached is no failure of the product. */
async function tried<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error) => {
    if (error instanceof AppError && error.code === 'unavailable')
      throw new AppError('not_available', error.detail, { cause: error })
    throw error
  })
}

function toAccount(
  { config }: Pick<Platform, 'config'>,
  kind: contract.AccountKind,
  row: { address: string; connected_at: Date } | undefined,
): contract.PersonalAccount {
  return {
    kind,
    is_offered: !hasSignIn(kind) || findSignInService(kind).serviceOf(config) !== null,
    connected: row ? { address: row.address, at: row.connected_at.toISOString() } : null,
  }
}

function serveVisits(server: Server, deps: Platform): void {
  const { config, clock, secrets, publicUrl } = deps
  serve(server, contract.signInPersonalAccount, {
    handle: async ({ params: { accountKind: kind }, user, request, reply }) => {
      const service = hasSignIn(kind) ? findSignInService(kind).serviceOf(config) : null
      if (!service)
        throw new AppError('not_available', 'This account has no sign-in page on this installation.')
      const callback = `${ownOrigin(request, publicUrl())}${API_BASE}${contract.PERSONAL_RETURN}`
      const { page, verifier } = await askForAccess(service, callback)
      for (const [name, value] of Object.entries(findSignInService(kind).parameters))
        page.searchParams.set(name, value)
      const browser = keepBrowserSecret(request, reply, request.protocol === 'https')
      const tokenHash = user.tokenHash.toString('base64url')
      const until = clock.now().getTime() + VISIT_MS
      const visit: Visit = { kind, userId: user.id, tokenHash, browser, callback, verifier, until }
      page.searchParams.set('state', secrets.seal(JSON.stringify(visit)))
      return { url: page.href }
    },
  })
  if (!server.servesWeb) return
  server.routes.push(contract.returnToAccounts)
  addRoute(server, {
    ...{ method: 'GET', url: contract.PERSONAL_RETURN, body: null },
    handle: async (request, reply) => {
      const arrival = request as Arrival
      const visit = readVisit(deps, textOf(arrival.query.state))
      const outcome = visit ? await endVisit(deps, visit, arrival) : 'expired'
      return reply.header('cache-control', 'no-store').redirect(`${contract.ACCOUNT_PAGE}?account=${outcome}`)
    },
  })
}

type Arrival = FastifyRequest<{ Querystring: Record<string, unknown> }>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns null for a state that was not sealed here. */
function readVisit({ secrets }: Pick<Platform, 'secrets'>, state: string): Visit | null {
  try {
    return Visit.parse(JSON.parse(secrets.open(state)))
  } catch {
    return null
  }
}

/** Stores the account when a browser returns. Only the browser of the visit may end it, and its person must still be signed in. */
async function endVisit(deps: Platform, visit: Visit, request: Arrival): Promise<contract.PersonalOutcome> {
  if (visit.browser !== browserSecret(request) || visit.until <= deps.clock.now().getTime()) return 'expired'
  const [code, error] = [textOf(request.query.code), textOf(request.query.error)]
  if (error === 'access_denied') return 'refused'
  if (code === '') return 'failed'
  try {
    await assertIsThere(deps, visit, request)
    const kind = findSignInService(visit.kind)
    const service = kind.serviceOf(deps.config)
    if (!service) return 'failed'
    const returned = { code, verifier: visit.verifier, callback: visit.callback }
    const { tokens, method } = await exchangeCode(deps, service, returned, trustedOf(service))
    const headers = { authorization: `Bearer ${tokens.access}`, accept: 'application/json' }
    const signal = AbortSignal.timeout(TRY_MS)
    const trusted = kind.trusted(deps.config)
    const fetchIt = (url: string) => deps.outbound.fetch(url, { headers, signal, trusted, maxRedirects: 0 })
    const { address, facts } = await kind.whoIs(fetchIt, deps.config, signal)
    const kept: KeptTokens = { service: { ...service, method }, ...tokens, ...(facts && { facts }) }
    await deps.db.transaction().execute(async (trx) => {
      await assertIsThere({ ...deps, db: trx }, visit, request)
      const sealed = deps.secrets.seal(JSON.stringify(kept))
      await keepAccount(trx, visit, { address, sealed, now: deps.clock.now() })
      const who = await actorById(trx, visit.userId, visitOf(request).address)
      const entry = { did: 'service.connected' as const, subject: address, subjectId: visit.kind }
      await writeAudit(trx, deps.clock.now(), { ...who, ...entry })
    })
    return 'connected'
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return 'expired'
    deps.log.warn({ error, kind: visit.kind }, 'A personal account could not be connected.')
    return 'failed'
  }
}

/** @throws AppError when the person of a visit may no longer come in from the address of the browser */
async function assertIsThere(
  deps: Pick<Platform, 'db' | 'config' | 'networks'>,
  { userId, tokenHash }: Visit,
  request: Arrival,
): Promise<void> {
  await assertSignedIn(deps.db, { id: userId, tokenHash: Buffer.from(tokenHash, 'base64url') })
  await deps.networks.admit(await readUser(deps, userId), visitOf(request).address)
}
