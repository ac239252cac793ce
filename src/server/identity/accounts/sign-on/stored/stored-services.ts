import { MAX_PROVIDERS } from '#shared/identity/accounts/sign-on-providers.ts'
import { guardedFetch } from '../../../../platform/outbound/guarded-fetch.ts'
import type { Platform } from '../../../../platform/platform.ts'
import { GRAPH } from '../entra-groups.ts'
import { createIssuer } from '../openid.ts'
import { readStoredMetadata } from '../saml/read-metadata.ts'
import { createSaml } from '../saml/saml.ts'
import { type SignOnService, TIMEOUT_SECONDS } from '../sign-on-service.ts'
import { findProvider, type ProviderRow } from './provider-store.ts'

type Deps = Pick<Platform, 'config' | 'db' | 'clock' | 'publicUrl' | 'secrets' | 'outbound'>

/** A service that people may use now. */
export type ReadyService = { service: SignOnService; trustsAddresses: boolean }

/**
 * Returns the lookup of stored services. Each lookup reads the database, so a change takes effect immediately in every process. An unchanged
 * service keeps what it has discovered.
 */
export function createStoredServices(deps: Deps): (id: string) => Promise<ReadyService | null> {
  const created = new Map<string, { revision: string; service: SignOnService }>()
  return async (id) => {
    const row = await findProvider(deps.db, id)
    if (!row?.is_enabled) return null
    const known = created.get(id)
    const service = known?.revision === row.revision ? known.service : createService(deps, row)
    if (!service) return null
    // Removed providers would stay otherwise.
    if (created.size > MAX_PROVIDERS) created.clear()
    created.set(id, { revision: row.revision, service })
    return { service, trustsAddresses: row.trusts_addresses }
  }
}

/** Returns null for a directory, which people do not visit. */
function createService(
  deps: Deps,
  { id, settings, secret_sealed: sealed }: ProviderRow,
): SignOnService | null {
  if (settings.kind === 'ldap') return null
  if (settings.kind === 'saml') {
    const read = () => readStoredMetadata(deps.outbound, settings.metadata)
    return createSaml(deps, { id, settings, read })
  }
  const { issuer, client_id: clientId, scopes, groups_claim: groupsClaim } = settings
  const fetch = guardedFetch(deps.outbound, [issuer], TIMEOUT_SECONDS)
  const secret = sealed === null ? '' : deps.secrets.open(sealed)
  return createIssuer({ issuer, id: clientId, authenticate: secret, fetch }, scopes, groupsClaim, {
    signsOut: settings.signs_out,
    graph: settings.asks_graph ? GRAPH : undefined,
  })
}
