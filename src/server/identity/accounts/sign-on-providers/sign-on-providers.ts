import * as contract from '#shared/identity/accounts/sign-on-providers.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { type Server, serve } from '../../../platform/http/serve.ts'
import type { Platform } from '../../../platform/platform.ts'
import { actorOf } from '../../audit/audit.ts'
import { takeTurn } from '../rate-limit-store.ts'
import { changeSigningKey, listCertificates } from '../sign-on/saml/signing-key.ts'
import { listProviderRows } from '../sign-on/sign-on.ts'
import { countPeople, type ProviderRow } from '../sign-on/stored/provider-store.ts'
import { listUnknownGroups } from '../sign-on/unknown-groups-store.ts'
import { openSecret, removeProvider, saveProvider } from './change-provider.ts'
import { tryLdap } from './try-ldap.ts'
import { tryOpenId } from './try-openid.ts'
import { trySaml } from './try-saml.ts'

/** Serves the sign-on providers of the administration to super admins. */
export function serveSignOnProviders(server: Server, deps: Platform): void {
  serve(server, contract.listProviders, {
    handle: async () => ({
      items: await listProviders(deps),
      address: `${deps.publicUrl()}${API_BASE}/login/`,
      certificates: await listCertificates(deps),
    }),
  })
  serve(server, contract.changeSigningKey, {
    handle: async ({ user, request, body: { action } }) => {
      await changeSigningKey(deps, actorOf(user, request), action)
      return { certificates: await listCertificates(deps) }
    },
  })
  serve(server, contract.saveProvider, {
    handle: async ({ user, request, params: { providerId }, body }) => {
      await saveProvider(deps, actorOf(user, request), providerId, body)
      const saved = (await listProviders(deps)).find(({ id }) => id === providerId)
      return saved!
    },
  })
  serve(server, contract.testProvider, {
    handle: async ({ user, params: { providerId }, body }) => {
      await takeTurn(deps, 'sign_on_test', user.id)
      const results = await tryProvider(deps, providerId, body)
      return { works: results.every(({ state }) => state === 'passed' || state === 'warning'), results }
    },
  })
  serve(server, contract.removeProvider, {
    handle: ({ user, request, params: { providerId }, query: { people } }) =>
      removeProvider(deps, actorOf(user, request), providerId, people),
  })
}

async function tryProvider(
  deps: Platform,
  id: string,
  draft: contract.ProviderDraft,
): Promise<contract.TestResult[]> {
  const { settings } = draft
  if (settings.kind === 'saml') return trySaml(deps, settings)
  const secret = await openSecret(deps, id, draft)
  if (settings.kind === 'oidc') {
    const callback = `${deps.publicUrl()}${API_BASE}/login/${id}/callback`
    return tryOpenId(deps, settings, { secret, callback })
  }
  return tryLdap(settings, { id, password: secret ?? '', trustsAddresses: draft.trusts_addresses })
}

async function listProviders({
  db,
  clock,
}: Pick<Platform, 'db' | 'clock'>): Promise<contract.StoredProvider[]> {
  const counts = await countPeople(db)
  const unknown = await listUnknownGroups(db, clock.now())
  return (await listProviderRows(db)).map((row) => ({
    ...show(row, counts.get(row.id)),
    unknown_groups: unknown.get(row.id) ?? [],
  }))
}

function show(
  row: ProviderRow,
  { people, alone } = { people: 0, alone: 0 },
): Omit<contract.StoredProvider, 'unknown_groups'> {
  const { id, name, is_enabled, trusts_addresses, settings, rules } = row
  return {
    ...{ id, name, is_enabled, trusts_addresses, settings, rules, people, people_without_other: alone },
    secret_set_at: row.secret_set_at?.toISOString() ?? null,
    changed_at: row.changed_at.toISOString(),
  }
}
