import type { SignOnWay } from '#shared/identity/accounts/sign-on-ways.ts'
import { API_BASE } from '#shared/platform/http.ts'
import { givenOf } from '../../../platform/config/fixed-settings.ts'
import type { Platform } from '../../../platform/platform.ts'
import { companyNames } from '../store.ts'
import { missingSettings, nameOfProvider, providers } from './providers.ts'
import { listUnknownGroups } from './unknown-groups-store.ts'

const directoryNeeds = ['LDAP_URL', 'LDAP_SEARCH_BASE'] as const

/** Returns the configured external sign-in methods and group rules. */
export async function listWays({
  config,
  db,
  clock,
  publicUrl,
}: Pick<Platform, 'config' | 'db' | 'clock' | 'publicUrl'>) {
  const unknown = await listUnknownGroups(db, clock.now())
  const at = (path: string) => `${publicUrl()}${API_BASE}/login/${path}`
  const visited = providers.map((provider): SignOnWay => {
    const missing = missingSettings(provider, config)
    const metadata = provider.id === 'saml' ? at('saml/metadata') : null
    const common = { id: provider.id, name: provider.name(config), callback: at(`${provider.id}/callback`) }
    const unknown_groups = unknown.get(provider.id) ?? []
    const fixed_by = givenOf(config, ...provider.needs)
    return { ...common, metadata, missing, fixed_by, unknown_groups, available: missing.length === 0 }
  })
  const missing = directoryNeeds.filter((name) => config[name] === undefined)
  const directory = {
    ...{ id: 'ldap', name: nameOfProvider(config, 'ldap') },
    ...{ callback: null, metadata: null, unknown_groups: [] },
  }
  const rules = config.ATRIUM_SIGN_ON_ROLES
  const names = await companyNames(
    db,
    rules.map(({ companyId }) => companyId),
  )
  return {
    ways: [
      ...visited,
      {
        ...directory,
        missing,
        fixed_by: givenOf(config, ...directoryNeeds),
        available: missing.length === 0,
      },
    ],
    rules: rules.map(({ companyId, provider, group, role }) => ({
      ...{ provider: nameOfProvider(config, provider), group, role },
      ...{ company_id: companyId, company: names.get(companyId) ?? null },
    })),
  }
}
