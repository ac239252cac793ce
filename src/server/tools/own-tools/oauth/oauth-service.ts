import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { HttpAuth, SecretValues } from '#shared/tools/own-tools/http-call.ts'
import { boundJson } from '../../../platform/outbound/foreign/bound-stream.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { ClientMethod } from './client-auth.ts'

/** Where people give leave for their account, and as whom this product asks for it (RFC 6749). */
export const Service = z.object({
  /** As it names itself (RFC 8414); null where nobody said. */
  issuer: z.string().nullable(),
  authorize: z.string(),
  token: z.string(),
  /** Where leave is taken back (RFC 7009). */
  revoke: z.string().nullable(),
  /** How it takes the secret of a client; empty where nobody said. */
  methods: z.array(z.string()),
  /** Its answers name it (RFC 9207). */
  names_itself: z.boolean(),
  scope: z.string(),
  /** What the tokens are for (RFC 8707). */
  resource: z.string().nullable(),
  client_id: z.string(),
  client_secret: z.string().nullable(),
  /** How the client was registered to show its secret, or did so before; unknown where nobody said. */
  method: z.optional(ClientMethod.nullable()),
})
export type Service = z.infer<typeof Service>

export type PersonAuth = Extract<HttpAuth, { kind: 'oauth2_user' }>

/** The service of an API, as the owner of its tools described it. */
export function serviceOfAuth(auth: PersonAuth, { client_secret }: SecretValues): Service {
  return {
    ...{ issuer: null, methods: [], names_itself: false, resource: null },
    ...{ authorize: auth.authorize_url, token: auth.token_url, revoke: auth.revoke_url || null },
    ...{ scope: auth.scopes.join(' '), client_id: auth.client_id, client_secret: client_secret ?? null },
  }
}

/** Whether leave for one is leave for the other. A new secret of the same client changes nothing. */
export function isSameService(one: Service, other: Service): boolean {
  const mark = ({ authorize, token, revoke, client_id, scope, resource }: Service) =>
    JSON.stringify([authorize, token, revoke, client_id, scope, resource])
  return mark(one) === mark(other)
}

/** The same as the SDK knows it. */
export function metadataOf(service: Service): AuthorizationServerMetadata {
  return {
    issuer: service.issuer ?? new URL(service.authorize).origin,
    authorization_endpoint: service.authorize,
    token_endpoint: service.token,
    response_types_supported: ['code'],
    ...(service.methods.length > 0 && { token_endpoint_auth_methods_supported: service.methods }),
    ...(service.names_itself && { authorization_response_iss_parameter_supported: true }),
  }
}

export const clientOf = ({ client_id, client_secret }: Service) => ({
  client_id,
  ...(client_secret === null ? {} : { client_secret }),
})

const SECONDS = 15
const MOST_BYTES = 500_000
const ANSWER = { bytes: MOST_BYTES, values: 10_000, depth: 50 }
const asItIs = (bytes: Uint8Array) => bytes

/** `fetch` for the words of OAuth, through the guarded way out. */
export function createFetch(outbound: Outbound, trusted: readonly string[]) {
  return async (address: string | URL, { method = 'GET', headers, body, signal }: RequestInit = {}) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`${method} is not a method of OAuth.`)
    const answer = await outbound.open(String(address), {
      ...{ method, trusted, maxBytes: MOST_BYTES, seconds: SECONDS },
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal ? { signal } : {}),
    })
    if (!answer.body) return answer
    const { status, statusText, headers: said } = answer
    return new Response(answer.body.pipeThrough(boundJson(ANSWER, asItIs)), {
      status,
      statusText,
      headers: said,
    })
  }
}

/** @throws AppError `not_available` for a page no browser should be sent to */
export function assertPage(address: string): void {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new AppError('not_available', 'The service names no address where one could sign in.')
}
