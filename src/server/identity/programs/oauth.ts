import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import { CONSENT_PATH, MCP_PATH } from '#shared/identity/programs/addresses.ts'
import { addRoute } from '../../platform/http/add-route.ts'
import { type BodyRule, FORM_TYPE, JSON_TYPE } from '../../platform/http/bodies/body-rule.ts'
import { parseBody } from '../../platform/http/bodies/request-body.ts'
import type { Server } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import { countedAddress, takeTurn } from '../accounts/accounts.ts'
import { readClientId, writeClientId } from './client-id.ts'
import { assertAudience, programScopes } from './connect.ts'
import { answerInOAuth, OAuthError } from './oauth-error.ts'
import { isGoodRedirect } from './redirect-uri.ts'
import { exchangeCode, giveBack, refreshTokens } from './tokens.ts'

/** A registration, or a form with id and code. Some programs send the form as JSON. */
const BODY: BodyRule = { types: [FORM_TYPE, JSON_TYPE], maxBytes: 16_384 }
const PREFIX = '/oauth'
/** URL at which a refused program finds the authorization server (RFC 9728). */
export const RESOURCE_METADATA = `/.well-known/oauth-protected-resource${MCP_PATH}`

/** Registration data of a program (RFC 7591). Other fields are ignored. */
const Registration = z.object({
  client_name: z.string().trim().max(100).optional(),
  redirect_uris: z.array(z.string().max(300)).min(1).max(5),
  token_endpoint_auth_method: z.string().max(50).optional(),
})

const short = z.string().min(1).max(500)
const client_id = z.string().min(1).max(3_000)
const TokenRequest = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    ...{ code: short, client_id, redirect_uri: short },
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
    resource: short.optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    ...{ refresh_token: short, client_id, resource: short.optional() },
  }),
])
const Revocation = z.object({ token: short, client_id })

/**
 * Serves OAuth 2.1 for programs as MCP requires it: metadata (RFC 9728, RFC 8414), registration (RFC 7591), tokens with PKCE, and
 * revocation (RFC 7009). The user gives consent in the browser.
 */
export function serveOAuth(openTo: Pick<Server, 'http' | 'turns'>, deps: Platform): void {
  const { http } = openTo
  answerInOAuth(http)
  http.addHook('onSend', async (_, reply) => void reply.header('cache-control', 'no-store'))
  const server = () => describeServer(deps.publicUrl())
  const resource = () => describeResource(deps.publicUrl())
  const show = (url: string, describe: () => object) =>
    addRoute(openTo, { method: 'GET', url, body: null, handle: async () => describe() })
  show('/.well-known/oauth-authorization-server', server)
  show('/.well-known/oauth-protected-resource', resource)
  show(RESOURCE_METADATA, resource)
  const on = (
    path: string,
    act: (body: unknown, request: FastifyRequest) => Promise<unknown>,
    status = 200,
  ) =>
    addRoute(openTo, {
      ...{ method: 'POST', url: PREFIX + path, body: BODY },
      handle: async (request, reply) => {
        await takeTurn(deps, 'program_address', countedAddress(request.ip))
        return reply.status(status).send(await act(await parseBody(request), request))
      },
    })
  on('/register', async (body) => register(deps, body), 201)
  on('/token', async (body, { ip }) => giveTokens(deps, body, ip))
  on('/revoke', async (body, { ip }) => {
    const { token, client_id } = parse(Revocation, body)
    await giveBack(deps, token, client_id, ip)
    return {}
  })
}

function register(deps: Platform, body: unknown) {
  const parsed = Registration.safeParse(body)
  if (!parsed.success)
    throw new OAuthError('invalid_client_metadata', 'Name one to five redirect_uris, and a client_name.')
  const { redirect_uris, client_name } = parsed.data
  const wrong = redirect_uris.find((one) => !isGoodRedirect(one))
  if (wrong !== undefined)
    throw new OAuthError('invalid_redirect_uri', `Nobody can be answered at ${wrong.slice(0, 200)}.`)
  // Removes bidirectional and invisible characters.
  const name =
    (client_name ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim() || new URL(redirect_uris[0]!).host
  return {
    client_id: writeClientId(deps, { name: name || 'MCP', redirect_uris }),
    client_id_issued_at: Math.floor(deps.clock.now().getTime() / 1000),
    ...{ client_name: name || 'MCP', redirect_uris, token_endpoint_auth_method: 'none' },
    ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
  }
}

function giveTokens(deps: Platform, body: unknown, address: string) {
  const { grant_type } = (body ?? {}) as { grant_type?: unknown }
  if (grant_type !== 'authorization_code' && grant_type !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', 'Come with a code or with a refresh token.')
  const request = parse(TokenRequest, body)
  if (!readClientId(deps, request.client_id))
    throw new OAuthError('invalid_client', 'This program is not known here. Register it again.')
  try {
    assertAudience(deps, request.resource)
  } catch {
    throw new OAuthError('invalid_target', 'The tokens of this server open nothing elsewhere.')
  }
  return request.grant_type === 'authorization_code'
    ? exchangeCode(deps, request, address)
    : refreshTokens(deps, request, address)
}

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('.') || 'The request'
  throw new OAuthError('invalid_request', `${path} is missing or not well formed.`)
}

const describeResource = (url: string) => ({
  resource: url + MCP_PATH,
  authorization_servers: [url],
  scopes_supported: programScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Atrium',
})

const describeServer = (url: string) => ({
  issuer: url,
  authorization_endpoint: url + CONSENT_PATH,
  token_endpoint: `${url}${PREFIX}/token`,
  registration_endpoint: `${url}${PREFIX}/register`,
  revocation_endpoint: `${url}${PREFIX}/revoke`,
  scopes_supported: programScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})
