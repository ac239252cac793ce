import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { boundJson } from '../foreign/bound-stream.ts'
import type { Outbound } from '../outbound.ts'
import { ClientMethod } from './client-auth.ts'
import { tidyOAuthAnswer } from './tidy-oauth-answer.ts'

/** An OAuth service where people authorize access to their account, and Atrium's client there (RFC 6749). */
export const Service = z.object({
  /** Its issuer (RFC 8414); null if unknown. */
  issuer: z.string().nullable(),
  authorize: z.string(),
  token: z.string(),
  /** Endpoint for revoking tokens (RFC 7009). */
  revoke: z.string().nullable(),
  /** Supported client authentication methods; an empty list if unknown. */
  methods: z.array(z.string()),
  /** Whether its answers contain its issuer (RFC 9207). */
  names_itself: z.boolean(),
  scope: z.string(),
  /** The resource the tokens are for (RFC 8707). */
  resource: z.string().nullable(),
  client_id: z.string(),
  client_secret: z.string().nullable(),
  /** The authentication method the client was registered with or used before, if known. */
  method: z.optional(ClientMethod.nullable()),
})
export type Service = z.infer<typeof Service>

/** Returns whether a grant for one service also applies to the other. A new secret of the same client changes nothing. */
export function isSameService(one: Service, other: Service): boolean {
  const mark = ({ authorize, token, revoke, client_id, scope, resource }: Service) =>
    JSON.stringify([authorize, token, revoke, client_id, scope, resource])
  return mark(one) === mark(other)
}

/** Returns the same in the SDK's format. */
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
const MAX_BYTES = 500_000
const ANSWER = { bytes: MAX_BYTES, values: 10_000, depth: 50 }

/** `fetch` for OAuth requests, through the outbound guard. */
export function createFetch(outbound: Outbound, trusted: readonly string[]) {
  return async (address: string | URL, { method = 'GET', headers, body, signal }: RequestInit = {}) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`${method} is not a method of OAuth.`)
    const answer = await outbound.open(String(address), {
      ...{ method, trusted, maxBytes: MAX_BYTES, seconds: SECONDS },
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      ...(signal ? { signal } : {}),
    })
    if (!answer.body) return answer
    const { status, statusText, headers: said } = answer
    return new Response(answer.body.pipeThrough(boundJson(ANSWER, tidyOAuthAnswer)), {
      status,
      statusText,
      headers: said,
    })
  }
}

/** @throws AppError `not_available` for a page that is unsafe for a browser */
export function assertPage(address: string): void {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new AppError('not_available', 'The service names no sign-in page.')
}
