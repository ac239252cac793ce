import {
  exchangeAuthorization,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  startAuthorization,
} from '@modelcontextprotocol/client'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../db/tables.ts'
import type { Outbound } from '../outbound.ts'
import { type ClientMethod, createTokenFetch } from './client-auth.ts'
import { assertPage, clientOf, createFetch, metadataOf, type Service } from './oauth-service.ts'

/** Tokens of a person or company at a service. */
export const Tokens = z.object({
  access: z.string(),
  refresh: z.string().nullable(),
  /** Unix time in milliseconds; null if the service does not say. */
  until: z.number().nullable(),
})
export type Tokens = z.infer<typeof Tokens>

type Deps = { outbound: Outbound; clock: { now(): Date } }
/** Addresses that may be private. */
type Trusted = readonly string[]

/** A token is not used shortly before it expires. */
const EXPIRY_MARGIN_MS = 30_000

/** Returns the page where a person authorizes access, and the PKCE verifier of the attempt. @throws AppError `not_available` */
export async function askForAccess(
  service: Service,
  callback: string,
): Promise<{ page: URL; verifier: string }> {
  assertPage(service.authorize)
  const { authorizationUrl, codeVerifier } = await startAuthorization(service.authorize, {
    ...{ metadata: metadataOf(service), clientInformation: clientOf(service), redirectUrl: callback },
    ...(service.scope === '' ? {} : { scope: service.scope }),
    ...(service.resource === null ? {} : { resource: service.resource }),
  })
  return { page: authorizationUrl, verifier: codeVerifier }
}

type Returned = { code: string; verifier: string; callback: string; iss?: string | undefined }

/** Exchanges the code with which a browser returns. Returns the tokens and the authentication method that worked. */
export async function exchangeCode(
  deps: Deps,
  service: Service,
  { code, verifier, callback, iss }: Returned,
  trusted: Trusted,
): Promise<{ tokens: Tokens; method: ClientMethod | null | undefined }> {
  let method = service.method
  const fetchFn = createTokenFetch(service, createFetch(deps.outbound, trusted), (worked) => {
    method = worked
  })
  const tokens = await exchangeAuthorization(service.token, {
    ...{ metadata: metadataOf(service), clientInformation: clientOf(service), authorizationCode: code },
    ...{ codeVerifier: verifier, redirectUri: callback },
    ...(service.issuer !== null && iss !== undefined && { iss }),
    ...(service.resource === null ? {} : { resource: service.resource }),
    ...{ fetchFn, addClientAuthentication: () => undefined },
  })
  return { tokens: toTokens(deps, tokens), method }
}

/** Returns new tokens; null if the service no longer accepts the refresh token. @throws AppError `unavailable` */
export async function refreshTokens(
  deps: Deps,
  service: Service,
  { refresh }: Pick<Tokens, 'refresh'>,
  trusted: Trusted,
): Promise<Tokens | null> {
  if (refresh === null) return null
  try {
    const fetchFn = createTokenFetch(service, createFetch(deps.outbound, trusted))
    const tokens = await refreshAuthorization(service.token, {
      ...{ metadata: metadataOf(service), clientInformation: clientOf(service) },
      ...{ refreshToken: refresh, fetchFn, addClientAuthentication: () => undefined },
      ...(service.resource === null ? {} : { resource: service.resource }),
    })
    return toTokens(deps, tokens)
  } catch (error) {
    if (error instanceof AppError) throw error
    // The person has revoked the grant, or it has expired (RFC 6749, 5.2).
    if (error instanceof OAuthError && error.code === 'invalid_grant') return null
    throw new AppError('unavailable', `${new URL(service.token).host} issued no new token.`, { cause: error })
  }
}

/** Returns whether an access token can be used now. */
export const isFresh = ({ clock }: Pick<Deps, 'clock'>, { until }: Pick<Tokens, 'until'>): boolean =>
  until === null || until - EXPIRY_MARGIN_MS > clock.now().getTime()

/** The storage of tokens. */
export type TokenStore<Kept extends Tokens> = {
  /** Same for all uses of the same tokens. */
  key: string
  /** Reads the tokens and locks them until the end of the transaction; null when they are gone. */
  hold: (trx: Kysely<Tables>) => Promise<Kept | null>
  refresh: (kept: Kept) => Promise<Tokens | null>
  write: (trx: Kysely<Tables>, kept: Kept) => Promise<void>
  /** Removes tokens that the service no longer accepts. */
  end: (trx: Kysely<Tables>) => Promise<void>
}

const underWay = new Map<string, Promise<string | null>>()

/**
 * Replaces a refused or expired access token. Returns the new one; null when the sign-in has ended. Concurrent calls of this process
 * share one renewal. Many services accept a refresh token once, so its row is locked: another process then finds the new token.
 */
export function renewOnce<Kept extends Tokens>(
  db: Kysely<Tables>,
  store: TokenStore<Kept>,
  refused: string,
): Promise<string | null> {
  const going = underWay.get(store.key)
  if (going) return going
  const renewing = renew(db, store, refused).finally(() => underWay.delete(store.key))
  underWay.set(store.key, renewing)
  return renewing
}

async function renew<Kept extends Tokens>(
  db: Kysely<Tables>,
  { hold, refresh, write, end }: TokenStore<Kept>,
  refused: string,
): Promise<string | null> {
  return db.transaction().execute(async (trx) => {
    const kept = await hold(trx)
    if (!kept) return null
    if (kept.access !== refused) return kept.access
    const tokens = await refresh(kept)
    if (tokens === null) {
      await end(trx)
      return null
    }
    await write(trx, { ...kept, ...tokens })
    return tokens.access
  })
}

/** Returns the tokens to store. A renewal without a new refresh token keeps the old one, which the SDK adds. */
function toTokens({ clock }: Pick<Deps, 'clock'>, tokens: OAuthTokens): Tokens {
  const { access_token: access, refresh_token: refresh = null, expires_in } = tokens
  return { access, refresh, until: expires_in ? clock.now().getTime() + expires_in * 1000 : null }
}
