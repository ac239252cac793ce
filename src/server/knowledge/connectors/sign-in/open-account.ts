import * as z from 'zod'
import type { Config } from '../../../platform/config/config.ts'
import { isFresh, refreshTokens, renewOnce, Tokens } from '../../../platform/outbound/oauth/oauth.ts'
import { isSameService, Service } from '../../../platform/outbound/oauth/oauth-service.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type ConnectorSource, SignedOut, type SourceAccount } from '../define-connector.ts'
import { missingSettings } from '../known-sources.ts'
import { deleteSignIn, findSignIn, holdSignIn, writeSignIn } from './sign-in-store.ts'

/** The sealed tokens of a connector, with the service and the client that they are for. */
export const KeptTokens = z.object({ service: Service, ...Tokens.shape })
export type KeptTokens = z.infer<typeof KeptTokens>

type Deps = Pick<Platform, 'db' | 'secrets' | 'outbound' | 'clock' | 'config'>

/** Returns the OAuth service of a source; null when the installation has no client there. */
export const serviceOf = (source: ConnectorSource, config: Config): Service | null =>
  source.signIn && missingSettings(source, config).length === 0 ? source.signIn.serviceOf(config) : null

/** Addresses that an administrator configured. They may be private. */
export const trustedOf = ({ authorize, token }: Service): string[] => [authorize, token]

/** Opens the sign-in of a connector. @throws SignedOut without one, or when it was for another client */
export async function openAccount(
  deps: Deps,
  source: ConnectorSource,
  connectorId: string | null,
): Promise<SourceAccount> {
  const service = serviceOf(source, deps.config)
  const kept = connectorId === null ? null : open(deps, await findSignIn(deps.db, connectorId))
  if (!service || !kept || !connectorId || !isSameService(kept.service, service))
    throw new SignedOut('No one is signed in to the source.')
  let known: Pick<KeptTokens, 'access' | 'until'> = kept
  const renew = async (refused: string) => {
    const access = await renewTokens(deps, service, connectorId, refused)
    known = open(deps, await findSignIn(deps.db, connectorId)) ?? { access, until: null }
    return access
  }
  return { token: async () => (isFresh(deps, known) ? known.access : renew(known.access)), renew }
}

async function renewTokens(
  deps: Deps,
  service: Service,
  connectorId: string,
  refused: string,
): Promise<string> {
  const access = await renewOnce<KeptTokens>(
    deps.db,
    {
      key: `connector ${connectorId}`,
      hold: async (trx) => open(deps, await holdSignIn(trx, connectorId)),
      refresh: (kept) =>
        refreshTokens(deps, { ...service, method: kept.service.method }, kept, trustedOf(service)),
      write: (trx, kept) => writeSignIn(trx, connectorId, deps.secrets.seal(JSON.stringify(kept))),
      end: (trx) => deleteSignIn(trx, connectorId),
    },
    refused,
  )
  if (access === null) throw new SignedOut(`${new URL(service.token).host} no longer accepts the sign-in.`)
  return access
}

/** Returns null without tokens, and for those that were sealed with another key. */
function open({ secrets }: Pick<Deps, 'secrets'>, sealed: string | undefined): KeptTokens | null {
  if (sealed === undefined) return null
  try {
    return KeptTokens.parse(JSON.parse(secrets.open(sealed)))
  } catch {
    return null
  }
}
