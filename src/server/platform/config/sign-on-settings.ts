import * as z from 'zod'

const text = z.string().min(1).optional()
const url = z.url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
const words = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(
      (value) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value),
      'must be words with one space between them',
    )

/** A search filter with a placeholder for the search term. */
const filter = (place: string, fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(
      (value) => /^\(.*\)$/.test(value) && value.includes(`{${place}}`),
      `must be a filter in brackets with {${place}}`,
    )

/** Services that may be configured as trusted to verify email addresses without saying so. */
const trustable = ['microsoft', 'facebook', 'oidc', 'oauth', 'saml', 'ldap']

/** Maps a group of a sign-on service to a role in a company. */
export type RoleRule = {
  provider: string
  group: string
  companyId: string
  role: 'member' | 'company_admin' | 'super_admin'
}

const ruleSentence = 'must be rules such as oidc: Buyers => COMPANY-ID: member, separated by semicolons'
const roles = ['member', 'company_admin', 'super_admin'] as const

/** Group names may contain commas and equals signs, as directory names do. */
function parseRule(text: string): RoleRule | null {
  const [left = '', right = '', ...more] = text.split('=>').map((part) => part.trim())
  const provider = left.slice(0, left.indexOf(':')).trim()
  const group = left.slice(left.indexOf(':') + 1).trim()
  const [companyId = '', given = ''] = right.split(':').map((part) => part.trim())
  const role = roles.find((name) => name === given)
  const isRight = provider !== '' && left.includes(':') && group !== '' && more.length === 0
  return isRight && role && z.uuid().safeParse(companyId).success
    ? { provider, group, companyId, role }
    : null
}

/**
 * Environment variables for external sign-on; part of the settings in `config.ts`. `accounts/sign-on/providers.ts` states
 * which ones each service requires. Listed in docs/OPERATIONS.md under "Sign-on".
 */
export const signOnSettings = {
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_ISSUER: url.default('https://accounts.google.com'),
  MICROSOFT_CLIENT_ID: text,
  MICROSOFT_CLIENT_SECRET: text,
  MICROSOFT_ISSUER: url.default('https://login.microsoftonline.com/common/v2.0'),
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  GITHUB_URL: url.default('https://github.com'),
  GITHUB_API_URL: url.default('https://api.github.com'),
  FACEBOOK_CLIENT_ID: text,
  FACEBOOK_CLIENT_SECRET: text,
  FACEBOOK_URL: url.default('https://www.facebook.com'),
  FACEBOOK_API_URL: url.default('https://graph.facebook.com'),
  APPLE_CLIENT_ID: text,
  APPLE_TEAM_ID: text,
  APPLE_KEY_ID: text,
  APPLE_PRIVATE_KEY: text,
  APPLE_ISSUER: url.default('https://appleid.apple.com'),
  OIDC_NAME: z.string().max(40, 'may have at most 40 characters').default('OpenID'),
  OIDC_ISSUER: url.optional(),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  OIDC_SCOPES: words('openid email profile'),
  OIDC_GROUPS_CLAIM: words('groups'),
  OIDC_SIGN_OUT: z.enum(['on', 'off']).default('off'),
  OAUTH_NAME: z.string().max(40, 'may have at most 40 characters').default('OAuth'),
  OAUTH_CLIENT_ID: text,
  OAUTH_CLIENT_SECRET: text,
  OAUTH_AUTHORIZE_URL: url.optional(),
  OAUTH_TOKEN_URL: url.optional(),
  OAUTH_PROFILE_URL: url.optional(),
  OAUTH_SCOPES: words('email profile'),
  OAUTH_ID_FIELD: words('sub'),
  OAUTH_GROUPS_FIELD: words('groups'),
  SAML_NAME: z.string().max(40, 'may have at most 40 characters').default('SAML'),
  SAML_METADATA: text,
  SAML_ENTITY_ID: text,
  SAML_SIGN_OUT: z.enum(['on', 'off']).default('off'),
  SAML_SHA1: z.enum(['on', 'off']).default('off'),
  SAML_EMAIL_ATTRIBUTE: words('email'),
  SAML_NAME_ATTRIBUTE: words('displayName'),
  SAML_GROUPS_ATTRIBUTE: words('groups'),
  LDAP_URL: z
    .url({ protocol: /^ldaps?$/, error: 'must be an address that starts with ldaps:// or ldap://' })
    .optional(),
  LDAP_CA: text,
  LDAP_BIND_DN: text,
  LDAP_BIND_PASSWORD: text,
  LDAP_SEARCH_BASE: text,
  LDAP_USER_FILTER: filter('login', '(|(uid={login})(mail={login}))'),
  LDAP_GROUP_BASE: text,
  LDAP_GROUP_FILTER: filter('dn', '(|(member={dn})(uniqueMember={dn}))'),
  LDAP_ID_ATTRIBUTE: words('entryUUID'),
  LDAP_EMAIL_ATTRIBUTE: words('mail'),
  LDAP_NAME_ATTRIBUTE: words('displayName'),
  LDAP_GROUPS_ATTRIBUTE: words('memberOf'),
  LDAP_CHECK_MINUTES: z.coerce.number().int().min(0).max(60).default(15),
  ATRIUM_SIGN_ON_ROLES: z
    .string()
    .default('')
    .transform((given) => given.split(';').filter((rule) => rule.trim() !== ''))
    .transform((rules) => rules.map(parseRule))
    .refine((rules) => rules.every((rule) => rule !== null), ruleSentence)
    .transform((rules) => rules.filter((rule) => rule !== null)),
  ATRIUM_SIGN_ON_TRUSTED: z
    .string()
    .default('')
    .transform((given) => given.split(',').map((value) => value.trim().toLowerCase()))
    .transform((values) => values.filter((value) => value !== ''))
    .refine(
      (values) => values.every((value) => trustable.includes(value)),
      `may name ${trustable.join(', ')}, separated by commas`,
    ),
}
