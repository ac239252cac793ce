import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#shared/identity/accounts/accounts.ts'
import * as own from '#shared/identity/accounts/own-account.ts'
import { listSignOnWays } from '#shared/identity/accounts/sign-on-ways.ts'
import { AppError } from '#shared/platform/errors.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { addRoute } from '../../../platform/http/add-route.ts'
import { FORM_TYPE } from '../../../platform/http/bodies/body-rule.ts'
import { parseBody } from '../../../platform/http/bodies/request-body.ts'
import { bodyLimitOf } from '../../../platform/http/body-bounds.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { assertItIsThem } from '../passwords/change-password.ts'
import { countedAddress, giveTurnBack, takeTurn } from '../rate-limit-store.ts'
import { needsSetupCode } from '../sign-up/setup-code.ts'
import { makeOneTimeToken } from '../tokens/one-time-token-store.ts'
import { beginAttempt, endAttempt, endPendingAttempt } from './attempt-store.ts'
import { browserSecret, keepBrowserSecret } from './browser-secret.ts'
import { listWays } from './list-ways.ts'
import { createServices, isReady, providers } from './providers.ts'
import { describeAtrium } from './saml/describe-atrium.ts'
import type { SignedForm, SignOnService } from './sign-on-service.ts'
import { connectIdentity, findSignOnUser, SignOnError, type SignOnFailure } from './sign-on-user-store.ts'
import { keepSession } from './sign-out.ts'
import { listOffered } from './stored/provider-store.ts'

export { browserSecret, keepBrowserSecret } from './browser-secret.ts'
export { describeGoogle } from './openid.ts'
export { providerNames } from './providers.ts'
export { type Claims, groupsOf, textOf } from './sign-on-service.ts'
export { findSignOnUser, SignOnError, type SignOnFailure } from './sign-on-user-store.ts'
export { createSignOut } from './sign-out.ts'
export { listOffered, listProviderRows, type ProviderRow } from './stored/provider-store.ts'

type FindService = ReturnType<typeof createServices>
type Visit = FastifyRequest<{
  Params: { provider: string }
  Querystring: Record<string, string | string[] | undefined>
}>

/** Returns the external sign-in methods of the environment: configured ones, and locked ones to show. */
export async function listProviders({
  config,
  db,
}: Pick<Platform, 'config' | 'db'>): Promise<contract.SignOnProvider[]> {
  const stored = await listOffered(db)
  const isStored = (kind: string) => stored.some(({ id }) => id.startsWith(`${kind}-`))
  return (
    providers
      .map((provider) => ({ ...provider, available: isReady(provider, config) }))
      // A stored provider of the same kind makes a locked one superfluous.
      .filter(({ id, available, isOffered }) => available || (isOffered && !isStored(id)))
      .map(({ id, name, available }) => ({ id, name: name(config), available }))
  )
}

/**
 * Serves sign-on by browser redirects: `GET /login/{provider}?redirect_uri=…` leads to the service and back to `redirect_uri`, with
 * `token` (a one-minute code for `POST /token/exchange`) or `sso_error` (a `SignOnFailure`). `notice=handed_over` reports a handover.
 * A `redirect_uri` outside the product gets 400. A signed-in user connects a service the same way and returns with `connected`.
 */
export function serveSignOn(server: Server, deps: Platform): void {
  if (!server.servesWeb) return
  const findService = createServices(deps)
  server.routes.push(contract.visitSignOn, contract.returnFromSignOn, contract.returnByForm)
  server.routes.push(contract.readSamlMetadata, contract.readProviderMetadata)
  const onGet = (url: string, handle: (request: Visit, reply: FastifyReply) => Promise<unknown>) =>
    addRoute(server, {
      method: 'GET',
      url,
      body: null,
      handle: (request, reply) => handle(request as Visit, reply),
    })
  onGet('/login/:provider', async (request, reply) => {
    const target = readTarget(deps, request, request.query.redirect_uri)
    return leadBack(deps, reply, target, async () => {
      await takeTurn(deps, 'sign_on_address', countedAddress(request.ip))
      return begin(deps, findService, request, reply, target)
    })
  })
  onGet('/login/:provider/callback', async (request, reply) => {
    const { provider } = request.params
    const state = parameterOf(request.query.state)
    const attempt = await endAttempt(deps, provider, state, browserSecret(request))
    const target = new URL(attempt?.redirectUri ?? `${deps.publicUrl()}/login`)
    return leadBack(deps, reply, target, async () => {
      const found = attempt && (await findService(provider))
      if (!attempt || !found) throw new SignOnError('expired')
      if (request.query.error)
        throw new SignOnError(request.query.error === 'access_denied' ? 'cancelled' : 'failed')
      const callback = new URL(callbackOf(target, provider))
      callback.search = new URL(request.url, callback).search
      const said = await found.service.finish(attempt, callback)
      const claims = {
        ...said,
        emailVerified: said.emailVerified || found.trustsAddresses,
      }
      if (attempt.userId) {
        await connectIdentity(deps, provider, claims, attempt.userId, async (trx) => {
          if (!(await endPendingAttempt(trx, attempt.pending))) throw new SignOnError('expired')
        })
        return withParameter(target, 'connected', provider)
      }
      await giveTurnBack(deps, 'sign_on_address', countedAddress(request.ip))
      const user = await findSignOnUser(
        deps,
        provider,
        claims,
        async () => !(await needsSetupCode(deps, request)),
      )
      const signOnId = await keepSession(deps, { userId: user.id, provider, hint: claims.hint })
      const secret = browserSecret(request) ?? ''
      const token = await makeOneTimeToken(deps, 'sign_on', { ...user, signOnId }, secret)
      const back = withParameter(target, 'token', token)
      return user.isHandedOver ? withParameter(back, 'notice', 'handed_over') : back
    })
  })
  serveReturnByForm(server, deps, findService)
  const sendMetadata = async (reply: FastifyReply, id: string) =>
    reply.type('application/samlmetadata+xml').send(await describeAtrium(deps, id))
  onGet('/login/saml/metadata', (_, reply) => sendMetadata(reply, 'saml'))
  onGet('/login/:provider/metadata', async ({ params: { provider } }, reply) => {
    if (!/^saml-[a-z0-9]{8}$/.test(provider))
      throw new AppError('invalid', 'This service has no SAML metadata.')
    return sendMetadata(reply, provider)
  })
  serve(server, listSignOnWays, { handle: () => listWays(deps) })
  serve(server, own.connectSignOn, {
    handle: async ({ user, body, request, reply }) => {
      const { provider } = body
      if (!(await findService(provider)))
        throw new AppError('not_available', 'This service is not set up here.')
      await assertItIsThem(deps, user, body.current_password ?? '')
      const target = readTarget(deps, request, body.redirect_uri)
      const visit = Object.assign(request as Visit, { params: { provider } })
      return { url: (await begin(deps, findService, visit, reply, target, user.id)).href }
    },
  })
}

/**
 * Receives a response that the service's page posts, without this browser's cookie, and redirects to the visit that
 * completes it.
 */
function serveReturnByForm(server: Server, deps: Platform, findService: FindService): void {
  addRoute(server, {
    ...{ method: 'POST', url: contract.returnByForm.path, config: { fromElsewhere: true } },
    body: { types: [FORM_TYPE], maxBytes: bodyLimitOf(contract.returnByForm) },
    handle: async (request, reply) => {
      const form = contract.returnByForm.body!.safeParse((await parseBody(request)) ?? {})
      if (!form.success)
        throw new AppError('malformed', 'The sign-on service sent a form that cannot be read.')
      const { provider } = (request as Visit).params
      const path = `${API_BASE}/login/${encodeURIComponent(provider)}/callback`
      const service = (await findService(provider))?.service
      const answer = service?.receive
        ? await receive(deps, service, request, form.data, path)
        : { ...form.data, SAMLResponse: undefined, RelayState: undefined }
      const given = Object.entries(answer).filter(([, value]) => value !== undefined)
      const query = new URLSearchParams(given as [string, string][])
      return reply.header('cache-control', 'no-store').redirect(`${path}?${query}`)
    },
  })
}

async function receive(
  deps: Platform,
  service: SignOnService,
  request: FastifyRequest,
  form: SignedForm,
  path: string,
) {
  try {
    await takeTurn(deps, 'sign_on_address', countedAddress(request.ip))
    const answer = await service.receive!(form, `${request.protocol}://${request.host}${path}`)
    await giveTurnBack(deps, 'sign_on_address', countedAddress(request.ip))
    return answer
  } catch (error) {
    deps.log.warn({ error }, 'The answer of a sign-on service was refused.')
    return { state: form.RelayState ?? '', error: 'refused' }
  }
}

/** Redirects a visit to `/login/{provider}` outside of the API to the API, with its query. */
export function passSignOnOn(server: Pick<Server, 'http' | 'turns'>): void {
  for (const { id } of providers) {
    addRoute(server, {
      ...{ method: 'GET', url: `/login/${id}`, body: null },
      handle: async (request, reply) => reply.redirect(API_BASE + request.url),
    })
  }
}

async function begin(
  deps: Platform,
  findService: FindService,
  request: Visit,
  reply: FastifyReply,
  target: URL,
  userId?: string,
) {
  const { provider } = request.params
  const found = await findService(provider)
  if (!found) throw new SignOnError('not_configured')
  const browser = keepBrowserSecret(request, reply, target.protocol === 'https:')
  const attempt = await beginAttempt(deps, provider, { redirectUri: target.href, browser, userId })
  return found.service.begin(attempt, callbackOf(target, provider))
}

/** Redirects to the result of `visit`; a failure returns with `sso_error`. */
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
function readTarget(deps: Pick<Platform, 'publicUrl'>, request: FastifyRequest, asked: unknown): URL {
  const given = asked ?? `${deps.publicUrl()}/login`
  const target = typeof given === 'string' ? URL.parse(given) : null
  const own = [new URL(deps.publicUrl()).origin, `${request.protocol}://${request.host}`]
  if (!target || !own.includes(target.origin)) {
    throw new AppError('malformed', 'redirect_uri must lead back to this product.')
  }
  for (const name of ['token', 'error', 'sso_error', 'connected', 'notice']) target.searchParams.delete(name)
  return target
}

/** Returns the callback on the origin the browser sees, where its cookie is. */
function callbackOf(target: URL, provider: string): string {
  return `${target.origin}${API_BASE}/login/${provider}/callback`
}

function withParameter(target: URL, name: string, value: string): URL {
  const url = new URL(target)
  url.searchParams.set(name, value)
  return url
}

function parameterOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
