import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, label, queryInt, text, trimmed } from '../../platform/primitives.ts'
import { RoleName } from './accounts.ts'
import { UnknownGroups } from './sign-on-ways.ts'

export const ProviderKind = z.enum(['oidc', 'saml', 'ldap'])
export type ProviderKind = z.infer<typeof ProviderKind>

/** Maximum stored providers, and maximum rules of one. */
export const MAX_PROVIDERS = 20
export const MAX_RULES = 100
/** Maximum characters of pasted metadata. */
export const MAX_METADATA = 500_000

const webAddress = z.string().check(z.trim(), atMost(2000), z.url({ protocol: /^https?$/ }))
/** Words with one space between them, such as scopes or the name of a claim. */
const words = z.string().check(z.trim(), atMost(300), z.regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/))
/** The name of a claim or attribute; empty for none. */
const optionalName = z.string().check(z.trim(), atMost(300), z.regex(/^[\x20-\x7e]*$/))
/** A search filter in brackets, with a placeholder. */
const filter = (place: string) =>
  z.string().check(
    z.trim(),
    atMost(1000),
    z.refine((value) => /^\(.*\)$/.test(value) && value.includes(`{${place}}`), {
      error: `must be a filter in brackets with {${place}}`,
    }),
  )

/** An OpenID Connect issuer. `groups_claim` may be a path such as `realm_access.roles`. */
export const OidcSettings = z.object({
  kind: z.literal('oidc'),
  issuer: webAddress,
  client_id: trimmed(1, 500),
  scopes: words,
  groups_claim: optionalName,
  /** Asks Microsoft Graph for the groups that Entra leaves out of its tokens. */
  asks_graph: z.boolean(),
  /** Ends the session at the provider when somebody signs out. */
  signs_out: z.boolean(),
})
export type OidcSettings = z.infer<typeof OidcSettings>

/** A SAML identity provider. `metadata` is their address, or the XML itself. */
export const SamlSettings = z.object({
  kind: z.literal('saml'),
  metadata: z.string().check(
    z.trim(),
    atMost(MAX_METADATA),
    z.refine((value) => value.startsWith('<') || (value.length <= 2000 && isWebAddress(value)), {
      error: 'must be an address that starts with http:// or https://, or the XML itself',
    }),
  ),
  email_attribute: optionalName,
  name_attribute: optionalName,
  groups_attribute: optionalName,
  accepts_sha1: z.boolean(),
  signs_out: z.boolean(),
})
export type SamlSettings = z.infer<typeof SamlSettings>

/** An LDAP directory. `ca` holds certificates as PEM text; empty uses those of the server. */
export const LdapSettings = z.object({
  kind: z.literal('ldap'),
  url: z.string().check(z.trim(), atMost(500), z.url({ protocol: /^ldaps?$/ })),
  ca: z.string().check(z.trim(), atMost(100_000)),
  bind_dn: trimmed(0, 500),
  search_base: trimmed(1, 500),
  user_filter: filter('login'),
  group_base: trimmed(0, 500),
  group_filter: filter('dn'),
  id_attribute: words,
  email_attribute: words,
  name_attribute: words,
  groups_attribute: words,
})
export type LdapSettings = z.infer<typeof LdapSettings>

export const ProviderSettings = z.discriminatedUnion('kind', [OidcSettings, SamlSettings, LdapSettings])
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** A group of the provider and the role it gives in a company. */
export const GroupRule = z.object({ group: trimmed(1, 300), company_id: Id, role: RoleName })
export type GroupRule = z.infer<typeof GroupRule>

/** The kind, a hyphen and eight letters or digits. Chosen before it is saved, because addresses contain it. */
export const ProviderId = z.string().check(atMost(13), z.regex(/^(?:oidc|saml|ldap)-[a-z0-9]{8}$/))

/** Input of an administrator. Omit `secret` to keep it; null removes it. */
export const ProviderDraft = z.object({
  name: label(1, 40),
  is_enabled: z.boolean(),
  /** Counts every address of the provider as proved. */
  trusts_addresses: z.boolean(),
  settings: ProviderSettings,
  rules: z.array(GroupRule).check(z.maxLength(MAX_RULES)),
  secret: z.nullish(text(1, 4000)),
})
export type ProviderDraft = z.infer<typeof ProviderDraft>

/** A stored provider. Never contains a secret. */
export const StoredProvider = z.object({
  id: ProviderId,
  name: z.string(),
  is_enabled: z.boolean(),
  trusts_addresses: z.boolean(),
  settings: ProviderSettings,
  rules: z.array(GroupRule),
  /** When the secret was set; null without one. */
  secret_set_at: z.nullable(z.string()),
  /** People who sign in with it, and those of them who have no other way in. */
  people: z.int(),
  people_without_other: z.int(),
  unknown_groups: z.array(UnknownGroups),
  changed_at: z.string(),
})
export type StoredProvider = z.infer<typeof StoredProvider>

/** The steps of a test, in order. */
export const TestStep = z.enum([
  'discovery',
  'keys',
  'client',
  'metadata',
  'certificates',
  'connection',
  'bind',
  'search',
  'person',
  'groups',
])
export type TestStep = z.infer<typeof TestStep>

/** A value that a step received. `name` states its meaning. */
export const TestFact = z.object({
  name: z.enum([
    ...(['issuer', 'authorization', 'token', 'userinfo', 'end_session', 'milliseconds', 'keys'] as const),
    ...(['entity_id', 'sign_in', 'sign_out', 'fingerprint', 'valid_until', 'days_left'] as const),
    ...(['address', 'certificate', 'account', 'people', 'id', 'email', 'full_name', 'groups'] as const),
  ]),
  value: z.string(),
})
export type TestFact = z.infer<typeof TestFact>

/** One step of a test. `problem` names what is wrong and `detail` quotes what was said; never a secret. */
export const TestResult = z.object({
  step: TestStep,
  state: z.enum(['passed', 'warning', 'failed', 'skipped']),
  problem: z.nullable(
    z.enum([
      ...(['unreachable', 'private_host', 'not_found', 'wrong_issuer', 'not_readable', 'no_keys'] as const),
      ...([
        'client_refused',
        'client_unknown',
        'secret_missing',
        'no_sign_in',
        'expired',
        'expires_soon',
      ] as const),
      ...(['untrusted', 'no_answer', 'bind_refused', 'no_entry', 'not_allowed', 'bad_filter'] as const),
      ...(['nobody', 'no_id', 'no_email', 'no_groups', 'no_sign_out', 'other'] as const),
    ]),
  ),
  detail: z.nullable(z.string()),
  facts: z.array(TestFact),
})
export type TestResult = z.infer<typeof TestResult>

/** A certificate of the key that signs SAML requests: the current one, or the next one while it is being replaced. */
export const SigningCertificate = z.object({
  place: z.enum(['current', 'next']),
  /** SHA-256 in hexadecimal, with colons. */
  fingerprint: z.string(),
  valid_until: z.string(),
})
export type SigningCertificate = z.infer<typeof SigningCertificate>

const params = z.object({ providerId: ProviderId })

export const listProviders = route({
  method: 'GET',
  path: '/admin/sign-on/providers',
  access: 'super_admin',
  summary: 'The sign-on providers set up in the administration, at most 20',
  answer: z.object({
    items: z.array(StoredProvider),
    /** Start of the addresses to register; the id of the provider follows, then `/callback` or `/metadata`. */
    address: z.string(),
    /** Certificates in the SAML metadata of this product. */
    certificates: z.array(SigningCertificate),
  }),
})

/** `prepare` makes the next key and shows both certificates; `switch` signs with it and drops the earlier one. */
export const changeSigningKey = route({
  method: 'POST',
  path: '/admin/sign-on/signing-key',
  access: 'super_admin',
  fails: ['conflict'],
  summary: 'Replace the key that signs SAML requests, in two steps',
  body: z.object({ action: z.enum(['prepare', 'switch']) }),
  answer: z.object({ certificates: z.array(SigningCertificate) }),
})

export const saveProvider = route({
  method: 'PUT',
  path: '/admin/sign-on/providers/:providerId',
  access: 'super_admin',
  may: null,
  fails: ['conflict'],
  bodyLimit: 1024 * 1024,
  summary: 'Set up a sign-on provider, or change it',
  params,
  body: ProviderDraft,
  answer: StoredProvider,
})

export const testProvider = route({
  method: 'POST',
  path: '/admin/sign-on/providers/:providerId/test',
  access: 'super_admin',
  may: null,
  fails: ['rate_limited'],
  bodyLimit: 1024 * 1024,
  summary: 'Try the settings of a sign-on provider without saving them',
  params,
  body: ProviderDraft,
  answer: z.object({ works: z.boolean(), results: z.array(TestResult) }),
})

/** `people` is the number of people that the caller has seen. */
export const removeProvider = route({
  method: 'DELETE',
  path: '/admin/sign-on/providers/:providerId',
  access: 'super_admin',
  may: null,
  status: 204,
  fails: ['conflict'],
  summary: 'Remove a sign-on provider; its people lose this way in',
  params,
  query: z.object({ people: queryInt({ min: 0, max: 1_000_000_000, fallback: 0 }) }),
})

function isWebAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value)
}
