import { AppError } from '#shared/platform/errors.ts'
import {
  type HttpAuth,
  neededSecretsOf,
  type SecretValues,
  secretsOf,
} from '#shared/tools/own-tools/http-call.ts'
import { createTokenFetch } from '../../../platform/outbound/oauth/client-auth.ts'
import { createFetch } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { Account } from '../oauth/open-account.ts'
import { isRecord } from '../schemas.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { isHeaderValue } from './check-call.ts'
import { type WrittenRequest, writeCookies } from './write-request.ts'

/** Authenticates requests, with access to tokens. */
type Deps = Pick<OwnToolDeps, 'outbound' | 'clock' | 'config'>

/**
 * Returns an authenticated request. @throws AppError `not_available` if a secret is missing, and errors of requesting a
 * token
 */
export async function authenticate(
  deps: Deps,
  request: WrittenRequest,
  auth: HttpAuth,
  secrets: SecretValues,
  account: Account | null,
  signal?: AbortSignal,
): Promise<WrittenRequest> {
  const missing = neededSecretsOf(auth).find((name) => !secrets[name])
  if (missing !== undefined)
    throw new AppError('not_available', `This tool has no secret “${missing}”. Its owner can enter it.`)
  if (auth.kind === 'oauth2_user') return withToken(request, account)
  if (auth.kind !== 'oauth2_client') return addSecrets(request, auth, secrets)
  const token = await fetchToken(deps, auth, secrets, signal)
  return withHeader(request, 'authorization', `Bearer ${token}`)
}

async function withToken(request: WrittenRequest, account: Account | null): Promise<WrittenRequest> {
  if (account) return withHeader(request, 'authorization', `Bearer ${await account.token()}`)
  throw new AppError('not_available', 'Save this tool and connect your account on its page to try it.')
}

function addSecrets(request: WrittenRequest, auth: HttpAuth, secrets: SecretValues): WrittenRequest {
  switch (auth.kind) {
    case 'none':
    case 'oauth2_client':
    case 'oauth2_user':
      return request
    case 'bearer':
      return withHeader(request, 'authorization', `Bearer ${secrets.token}`)
    case 'basic':
      return withHeader(request, 'authorization', basic(secrets.username ?? '', secrets.password ?? ''))
    case 'api_key': {
      const key = secrets.api_key ?? ''
      if (auth.place === 'header') return withHeader(request, auth.name, key)
      if (auth.place === 'cookie')
        return withHeader(request, 'cookie', joinCookies(request, writeCookies([[auth.name, key]])))
      const url = new URL(request.url)
      url.searchParams.append(auth.name, key)
      return { ...request, url: url.href }
    }
    default:
      return auth satisfies never
  }
}

function withHeader(request: WrittenRequest, name: string, value: string): WrittenRequest {
  return { ...request, headers: { ...request.headers, [name.toLowerCase()]: value } }
}

const joinCookies = ({ headers }: WrittenRequest, cookie: string) =>
  headers.cookie ? `${headers.cookie}; ${cookie}` : cookie

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** @throws AppError `invalid` for a secret that cannot be sent in a request */
export function assertSecrets(values: SecretValues): void {
  const wrong = Object.entries(values).find(([, value]) => !isHeaderValue(value) || value.trim() !== value)
  if (wrong)
    throw new AppError(
      'invalid',
      `The secret “${wrong[0]}” has spaces around it, or characters that cannot be sent.`,
    )
}

type ClientAuth = Extract<HttpAuth, { kind: 'oauth2_client' }>
type Token = { token: string; until: number }

/** Tokens of this process, by client, address and scope. */
const tokens = new Map<string, Token>()
const MAX_TOKENS = 1_000
/** A token is not used shortly before it expires. */
const EXPIRY_MARGIN_MS = 30_000

/** Requests a token (RFC 6749, 4.4). @throws AppError `unavailable`, `not_available` if the client is refused */
async function fetchToken(
  { outbound, clock, config }: Deps,
  { token_url, scopes }: ClientAuth,
  { client_id = '', client_secret = '' }: SecretValues,
  signal?: AbortSignal,
): Promise<string> {
  const now = clock.now().getTime()
  const key = JSON.stringify([token_url, scopes, client_id, client_secret])
  const known = tokens.get(key)
  if (known && known.until > now) return known.token
  const form = { grant_type: 'client_credentials', ...(scopes.length > 0 && { scope: scopes.join(' ') }) }
  const client = { client_id, client_secret, methods: [], method: 'client_secret_basic' as const }
  const ask = createTokenFetch(client, createFetch(outbound, config.ATRIUM_TOOLS_PRIVATE))
  const answer = await ask(token_url, {
    ...{ method: 'POST', headers: { accept: 'application/json' }, body: new URLSearchParams(form) },
    ...(signal && { signal }),
  })
  const host = new URL(token_url).host
  if (answer.status >= 400 && answer.status < 500)
    throw new AppError('not_available', `${host} issued no token: it refused the client or its secret.`)
  const given = answer.ok ? await answer.json().catch(() => null) : null
  if (!isRecord(given) || typeof given.access_token !== 'string' || !isHeaderValue(given.access_token))
    throw new AppError('unavailable', `${host} issued no token (${answer.status}).`)
  const seconds = typeof given.expires_in === 'number' ? given.expires_in : 300
  if (tokens.size >= MAX_TOKENS) tokens.clear()
  tokens.set(key, { token: given.access_token, until: now + seconds * 1000 - EXPIRY_MARGIN_MS })
  return given.access_token
}

/** Drops a refused token, so that the next call requests a new one. */
export function forgetToken(
  { token_url, scopes }: ClientAuth,
  { client_id = '', client_secret = '' }: SecretValues,
) {
  tokens.delete(JSON.stringify([token_url, scopes, client_id, client_secret]))
}

/** Returns the request with dots in place of secrets, for people. Requests no token. */
export function maskSecrets(request: WrittenRequest, auth: HttpAuth): WrittenRequest {
  const dots = Object.fromEntries(secretsOf(auth).map((name) => [name, `•••• ${name}`]))
  if (auth.kind === 'none') return request
  if (auth.kind === 'basic') return withHeader(request, 'authorization', 'Basic •••• username:password')
  if (auth.kind === 'oauth2_client' || auth.kind === 'oauth2_user')
    return withHeader(request, 'authorization', 'Bearer •••• token')
  if (auth.kind === 'bearer') return withHeader(request, 'authorization', `Bearer ${dots.token}`)
  if (auth.place === 'header') return withHeader(request, auth.name, dots.api_key ?? '')
  if (auth.place === 'cookie') return withHeader(request, 'cookie', joinCookies(request, `${auth.name}=••••`))
  const sign = request.url.includes('?') ? '&' : '?'
  return { ...request, url: `${request.url}${sign}${encodeURIComponent(auth.name)}=••••` }
}
