import { OAuthError, type OAuthTokens, refreshAuthorization } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { AppError } from '#shared/platform/errors.ts'
import { toolError } from '#shared/tools/tools/tool-errors.ts'
import type { OwnToolDeps } from '../secrets-of.ts'
import { findAccount, holdAccount, removeAccount, type Whose, writeTokens } from './account-store.ts'
import { createTokenFetch } from './client-auth.ts'
import { clientOf, createFetch, isSameService, metadataOf, Service } from './oauth-service.ts'

/** The sealed data of an account: its tokens, with the service and the origins they are for. */
export const Kept = z.object({
  service: Service,
  origins: z.array(z.string()),
  access: z.string(),
  refresh: z.string().nullable(),
  /** Unix time in milliseconds; null if the service does not say. */
  until: z.number().nullable(),
})
export type Kept = z.infer<typeof Kept>

/** A person's account, as used by calls. */
export type Account = {
  /** Changes whenever the account is connected again. */
  id: string
  /** Returns a valid token. @throws AppError `conflict` if the account is no longer connected, `unavailable` */
  token: () => Promise<string>
  /** Gets a new token after the last one was refused. @throws the same */
  renew: () => Promise<void>
}

type Use = Whose & {
  service: Service | null
  /** The origin that receives the token. */
  origin: string
  /** The page where a person connects their account. */
  page: string
}

/** A token is not used shortly before it expires. */
const EXPIRY_MARGIN_MS = 30_000

/**
 * Returns the account a person connected for the tools of a set. It is invalid if the tools' service or origin has changed
 * since, because the tools' owner can change both and could redirect other people's tokens.
 * @throws AppError `conflict` with a sentence that says where to connect it
 */
export async function openAccount(deps: OwnToolDeps, use: Use): Promise<Account> {
  const row = await findAccount(deps.db, use)
  const kept = row && open(deps, row.sealed)
  if (!row || !kept || !isFor(kept, use)) throw notConnected(use)
  let given = kept.access
  return {
    id: row.id,
    token: async () => {
      const now = await findAccount(deps.db, use)
      const known = now && open(deps, now.sealed)
      if (!known || now.id !== row.id) throw notConnected(use)
      given = isFresh(deps, known) ? known.access : await refreshOnce(deps, use, known.access)
      return given
    },
    renew: async () => {
      given = await refreshOnce(deps, use, given)
    },
  }
}

export const open = ({ secrets }: Pick<OwnToolDeps, 'secrets'>, sealed: string): Kept =>
  Kept.parse(JSON.parse(secrets.open(sealed)))

/** Returns the tokens to store. A renewal without a new refresh token keeps the old one. */
export function keepTokens(
  { clock }: Pick<OwnToolDeps, 'clock'>,
  tokens: OAuthTokens,
): Pick<Kept, 'access' | 'refresh' | 'until'> {
  const { access_token: access, refresh_token: refresh = null, expires_in } = tokens
  return { access, refresh, until: expires_in ? clock.now().getTime() + expires_in * 1000 : null }
}

function isFor({ service, origins }: Kept, use: Use): boolean {
  return use.service !== null && isSameService(service, use.service) && origins.includes(use.origin)
}

function isFresh({ clock }: Pick<OwnToolDeps, 'clock'>, { until }: Kept): boolean {
  return until === null || until - EXPIRY_MARGIN_MS > clock.now().getTime()
}

const underWay = new Map<string, Promise<string>>()

/** Concurrent calls of this process share one renewal. */
function refreshOnce(deps: OwnToolDeps, use: Use, refused: string): Promise<string> {
  const key = `${use.setId} ${use.userId}`
  const going = underWay.get(key)
  if (going) return going
  const refreshing = refresh(deps, use, refused).finally(() => underWay.delete(key))
  underWay.set(key, refreshing)
  return refreshing
}

/** Many services accept a refresh token once, so its row is locked: another process then finds the new token. */
async function refresh(deps: OwnToolDeps, use: Use, refused: string): Promise<string> {
  const access = await deps.db.transaction().execute(async (trx) => {
    const row = await holdAccount(trx, use)
    if (!row) return null
    const kept = open(deps, row.sealed)
    if (kept.access !== refused) return kept.access
    const tokens = await askForTokens(deps, use, kept)
    if (tokens === null) {
      await removeAccount(trx, row.id)
      return null
    }
    const next: Kept = { ...kept, ...keepTokens(deps, tokens) }
    await writeTokens(trx, row.id, deps.secrets.seal(JSON.stringify(next)))
    return next.access
  })
  if (access === null) throw notConnected(use)
  return access
}

/** Returns null if the service no longer knows the grant. @throws AppError `unavailable` */
async function askForTokens(deps: OwnToolDeps, use: Use, kept: Kept): Promise<OAuthTokens | null> {
  if (kept.refresh === null || !use.service) return null
  const { outbound, config } = deps
  try {
    const client = { ...use.service, method: kept.service.method ?? use.service.method }
    const fetchFn = createTokenFetch(client, createFetch(outbound, config.ATRIUM_TOOLS_PRIVATE))
    return await refreshAuthorization(kept.service.token, {
      ...{ metadata: metadataOf(use.service), clientInformation: clientOf(use.service) },
      ...{ refreshToken: kept.refresh, fetchFn, addClientAuthentication: () => undefined },
      ...(use.service.resource === null ? {} : { resource: use.service.resource }),
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    // The person has revoked the grant, or it has expired (RFC 6749, 5.2).
    if (error instanceof OAuthError && error.code === 'invalid_grant') return null
    throw new AppError('unavailable', `${new URL(kept.service.token).host} issued no new token.`, {
      cause: error,
    })
  }
}

function notConnected({ service, origin, page }: Use): AppError {
  const host = new URL(service?.authorize ?? origin).host
  return new AppError('not_connected', toolError('not_connected', { service: host, page }))
}
