import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#shared/accounts/accounts.ts'
import { AppError } from '#shared/errors.ts'
import { API_BASE } from '#shared/http.ts'
import type { Server } from '../../http/serve.ts'
import type { Platform } from '../../platform.ts'
import { makeOneTimeToken } from '../one-time-token-store.ts'
import { countedAddress, takeTurn } from '../rate-limit-store.ts'
import { needsSetupCode } from '../setup-code.ts'
import { beginAttempt, endAttempt } from './attempt-store.ts'
import { browserSecret, keepBrowserSecret } from './browser-secret.ts'
import { createGoogle, type SignOnService } from './openid.ts'
import { findSignOnUser, SignOnError, type SignOnFailure } from './sign-on-user-store.ts'

export { browserSecret, keepBrowserSecret } from './browser-secret.ts'
export { describeGoogle } from './openid.ts'

type Services = Map<string, SignOnService>
type Visit = FastifyRequest<{
  Params: { provider: string }
  Querystring: Record<string, string | string[] | undefined>
}>

const providers: contract.SignOnProvider['id'][] = [
  'google',
  'microsoft',
  'github',
  'apple',
  'facebook',
  'saml',
]

/** The ways to sign in from outside, and which of them are configured. */
export function listProviders(config: Platform['config']): contract.SignOnProvider[] {
  return providers.map((id) => ({ id, available: id === 'google' && createGoogle(config) !== null }))
}

/**
 * Sign-on by browser redirects: `GET /login/{provider}?redirect_uri=…` leads to the service and
 * back to `redirect_uri`, with `token` (a one-minute code for `POST /token/exchange`) or
 * `sso_error` (a `SignOnFailure`). A `redirect_uri` outside the product is refused with 400.
 */
export function serveSignOn(server: Server, deps: Platform): void {
  if (!server.servesWeb) return
  const google = createGoogle(deps.config)
  const services: Services = new Map(google ? [['google', google]] : [])
  server.routes.push(contract.visitSignOn, contract.returnFromSignOn)
  server.http.get('/login/:provider', async (request: Visit, reply) => {
    const target = readTarget(deps, request)
    return leadBack(deps, reply, target, () => begin(deps, services, request, reply, target))
  })
  server.http.get('/login/:provider/callback', async (request: Visit, reply) => {
    const { provider } = request.params
    const state = textOf(request.query.state)
    const attempt = await endAttempt(deps, provider, state, browserSecret(request))
    const target = new URL(attempt?.redirectUri ?? `${deps.publicUrl()}/login`)
    return leadBack(deps, reply, target, async () => {
      const service = services.get(provider)
      if (!attempt || !service) throw new SignOnError('expired')
      if (request.query.error)
        throw new SignOnError(request.query.error === 'access_denied' ? 'cancelled' : 'failed')
      const callback = new URL(callbackOf(target, provider))
      callback.search = new URL(request.url, callback).search
      const claims = await service.finish(attempt, callback)
      const user = await findSignOnUser(deps, provider, claims, !needsSetupCode(deps, request))
      const token = await makeOneTimeToken(deps, 'sign_on', user, browserSecret(request) ?? '')
      return withParameter(target, 'token', token)
    })
  })
}

/** A visit to `/login/{provider}` outside the API is passed on to it, with its query. */
export function passSignOnOn(http: FastifyInstance): void {
  for (const provider of providers) {
    http.get(`/login/${provider}`, (request, reply) => reply.redirect(API_BASE + request.url))
  }
}

async function begin(deps: Platform, services: Services, request: Visit, reply: FastifyReply, target: URL) {
  const { provider } = request.params
  const service = services.get(provider)
  if (!service) throw new SignOnError('not_configured')
  await takeTurn(deps, 'sign_on_address', countedAddress(request.ip))
  const secret = keepBrowserSecret(request, reply, target.protocol === 'https:')
  const attempt = await beginAttempt(deps, provider, target.href, secret)
  return service.begin(attempt, callbackOf(target, provider))
}

/** Redirects to where `visit` leads; a failure leads back with `sso_error`. */
async function leadBack(deps: Platform, reply: FastifyReply, target: URL, visit: () => Promise<URL>) {
  try {
    const next = await visit()
    return await reply.header('cache-control', 'no-store').redirect(next.href)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'failed') deps.log.warn({ error }, 'A sign-on failed.')
    return reply
      .header('cache-control', 'no-store')
      .redirect(withParameter(target, 'sso_error', failure).href)
  }
}

function failureOf(error: unknown): SignOnFailure {
  if (error instanceof SignOnError) return error.failure
  const { code } = error instanceof AppError ? error : {}
  return code === 'rate_limited' || code === 'sign_up_refused' ? code : 'failed'
}

/** @throws AppError `malformed` unless the address is on the product's own origin */
function readTarget(deps: Pick<Platform, 'publicUrl'>, request: Visit): URL {
  const given = request.query.redirect_uri ?? `${deps.publicUrl()}/login`
  const target = typeof given === 'string' ? URL.parse(given) : null
  const own = [new URL(deps.publicUrl()).origin, `${request.protocol}://${request.host}`]
  if (!target || !own.includes(target.origin)) {
    throw new AppError('malformed', 'redirect_uri must lead back to this product.')
  }
  for (const name of ['token', 'error', 'sso_error']) target.searchParams.delete(name)
  return target
}

/** On the origin the browser sees, because that is where its cookie is. */
function callbackOf(target: URL, provider: string): string {
  return `${target.origin}${API_BASE}/login/${provider}/callback`
}

function withParameter(target: URL, name: string, value: string): URL {
  const url = new URL(target)
  url.searchParams.set(name, value)
  return url
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
