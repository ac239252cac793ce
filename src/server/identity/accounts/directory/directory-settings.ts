import { readFile } from 'node:fs/promises'
import type { LdapSettings } from '#shared/identity/accounts/sign-on-providers.ts'
import type { Config } from '../../../platform/config/config.ts'

/** The settings of a directory, from the environment or from the administration. */
export type DirectorySettings = Omit<LdapSettings, 'kind' | 'ca'> & {
  /** `ldap`, or the id of the stored provider. */
  id: string
  /** Password of the account that searches. */
  password: string
  trustsAddresses: boolean
  /** Reads the CA certificates as PEM text; undefined uses those of Node. */
  readCa: () => Promise<string | undefined>
  /** The settings by the names their administrator knows. */
  names: SettingNames
}

export type SettingNames = Record<
  'url' | 'ca' | 'account' | 'password' | 'base' | 'groupBase' | 'userFilter' | 'groupFilter' | 'id',
  string
>

/** Returns the directory of the environment, or null without one. */
export function environmentDirectory(config: Config): DirectorySettings | null {
  const { LDAP_URL: url, LDAP_SEARCH_BASE: base, LDAP_CA: ca } = config
  if (!url || !base) return null
  return {
    ...{ id: 'ldap', url, search_base: base, bind_dn: config.LDAP_BIND_DN ?? '' },
    ...{ password: config.LDAP_BIND_PASSWORD ?? '', user_filter: config.LDAP_USER_FILTER },
    ...{ group_base: config.LDAP_GROUP_BASE ?? '', group_filter: config.LDAP_GROUP_FILTER },
    ...{ id_attribute: config.LDAP_ID_ATTRIBUTE, email_attribute: config.LDAP_EMAIL_ATTRIBUTE },
    ...{ name_attribute: config.LDAP_NAME_ATTRIBUTE, groups_attribute: config.LDAP_GROUPS_ATTRIBUTE },
    trustsAddresses: config.ATRIUM_SIGN_ON_TRUSTED.includes('ldap'),
    readCa: async () => (ca === undefined ? undefined : readFile(ca, 'utf8')),
    names: {
      ...{ url: 'LDAP_URL', ca: 'LDAP_CA', account: 'LDAP_BIND_DN', password: 'LDAP_BIND_PASSWORD' },
      ...{ base: 'LDAP_SEARCH_BASE', groupBase: 'LDAP_GROUP_BASE', id: 'LDAP_ID_ATTRIBUTE' },
      ...{ userFilter: 'LDAP_USER_FILTER', groupFilter: 'LDAP_GROUP_FILTER' },
    },
  }
}

/** Returns the directory of a stored provider. */
export function storedDirectory(
  { kind: _, ca, ...settings }: LdapSettings,
  more: { id: string; password: string; trustsAddresses: boolean },
): DirectorySettings {
  return {
    ...settings,
    ...more,
    readCa: async () => ca || undefined,
    names: {
      ...{ url: 'the address', ca: 'the CA certificates', account: 'the reader account' },
      ...{ password: 'its password', base: '“Search below”', groupBase: '“Groups below”' },
      ...{ userFilter: '“Find a person by”', groupFilter: '“Groups by”', id: 'the attribute of the id' },
    },
  }
}
