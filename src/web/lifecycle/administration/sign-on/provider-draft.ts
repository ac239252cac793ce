import type {
  GroupRule,
  ProviderDraft,
  ProviderKind,
  ProviderSettings,
  StoredProvider,
} from '#shared/identity/accounts/sign-on-providers.ts'

/** Values of the form. An empty secret keeps the stored one. */
export type Draft = Omit<ProviderDraft, 'secret'> & { secret: string }

const names = { email_attribute: 'email', name_attribute: 'displayName', groups_attribute: 'groups' }
const beginnings: Record<ProviderKind, ProviderSettings> = {
  oidc: {
    ...{ kind: 'oidc', issuer: '', client_id: '', scopes: 'openid email profile', groups_claim: 'groups' },
    ...{ asks_graph: false, signs_out: true },
  },
  saml: { kind: 'saml', metadata: '', ...names, accepts_sha1: false, signs_out: false },
  ldap: {
    ...{ kind: 'ldap', url: '', ca: '', bind_dn: '', search_base: '', group_base: '' },
    user_filter: '(|(uid={login})(mail={login}))',
    group_filter: '(|(member={dn})(uniqueMember={dn}))',
    ...{ id_attribute: 'entryUUID', email_attribute: 'mail', name_attribute: 'displayName' },
    groups_attribute: 'memberOf',
  },
}

/** Returns the draft of a new provider. */
export function newDraft(kind: ProviderKind): Draft {
  return {
    ...{ name: '', is_enabled: true, trusts_addresses: false, rules: [], secret: '' },
    settings: beginnings[kind],
  }
}

/** Returns the draft of a stored provider. */
export function draftOf({ name, is_enabled, trusts_addresses, settings, rules }: StoredProvider): Draft {
  return { name, is_enabled, trusts_addresses, settings, rules, secret: '' }
}

/** Returns the body of a request. Rules without a group or a company are left out. */
export function bodyOf({ secret, rules, ...draft }: Draft): ProviderDraft {
  const whole = (rule: GroupRule) => rule.group.trim() !== '' && rule.company_id !== ''
  return { ...draft, rules: rules.filter(whole), ...(secret && { secret }) }
}

/** Returns an id for a new provider. It is not secret: addresses contain it. */
export function newId(kind: ProviderKind): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  return `${kind}-${Array.from(bytes, (byte) => letters[byte & 31]).join('')}`
}

export type Problem = 'missing' | 'no_address' | 'no_filter'

/** Returns the fields that are wrong, by their path in the request. */
export function problemsOf({ name, settings, secret }: Draft, hasSecret: boolean): Map<string, Problem> {
  const found = new Map<string, Problem>()
  const need = (path: string, value: string) => value.trim() === '' && found.set(path, 'missing')
  const needAddress = (path: string, value: string, scheme: RegExp) => {
    if (!need(path, value) && !(scheme.test(value.trim()) && URL.canParse(value.trim())))
      found.set(path, 'no_address')
  }
  need('name', name)
  if (settings.kind === 'oidc') {
    needAddress('settings.issuer', settings.issuer, /^https?:/)
    need('settings.client_id', settings.client_id)
    if (!hasSecret) need('secret', secret)
  } else if (settings.kind === 'saml') {
    if (!settings.metadata.trim().startsWith('<'))
      needAddress('settings.metadata', settings.metadata, /^https?:/)
  } else {
    needAddress('settings.url', settings.url, /^ldaps?:/)
    need('settings.search_base', settings.search_base)
    if (!settings.user_filter.includes('{login}')) found.set('settings.user_filter', 'no_filter')
    if (!settings.group_filter.includes('{dn}')) found.set('settings.group_filter', 'no_filter')
  }
  return found
}

/** Properties of the fields of a kind. `errorOf` takes the path of a field in the request. */
export type FieldsProps<Settings> = {
  settings: Settings
  name: string
  secret: string
  secretHint: string | undefined
  /** Address of this provider here, without `/callback` or `/metadata`. */
  address: string
  errorOf: (path: string) => string | undefined
  onChange: (change: Partial<Settings>) => void
  onDraft: (change: Partial<Pick<Draft, 'name' | 'secret'>>) => void
}
