import type { SignOnProvider } from '#shared/identity/accounts/accounts.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createApple } from './apple.ts'
import { createAnyOAuth, createFacebook, createGitHub } from './oauth-service.ts'
import { createGoogle, createIssuer, createMicrosoft, describeGoogle } from './openid.ts'
import { readMetadata } from './saml/read-metadata.ts'
import { createSaml } from './saml/saml.ts'
import type { SignOnService } from './sign-on-service.ts'
import { listProviderNames } from './stored/provider-store.ts'
import { createStoredServices, type ReadyService } from './stored/stored-services.ts'

type Config = Platform['config']
type Deps = Pick<Platform, 'config' | 'db' | 'clock' | 'publicUrl' | 'secrets' | 'outbound'>
type Setting = keyof Config & string

/** An external sign-in method, with the settings that unlock it. */
export type Provider = {
  id: SignOnProvider['id']
  name: (config: Config) => string
  needs: readonly Setting[]
  /** Shown as locked until configured. Generic services are hidden until then. */
  isOffered: boolean
  /** Creates the service once all settings are present. */
  create: (config: Config, deps: Deps) => SignOnService
}

export const providers: readonly Provider[] = [
  {
    id: 'google',
    name: () => 'Google',
    needs: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    isOffered: true,
    create: (config) => createGoogle(describeGoogle(config)!),
  },
  {
    id: 'microsoft',
    name: () => 'Microsoft',
    needs: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
    isOffered: true,
    create: ({ MICROSOFT_ISSUER: issuer, MICROSOFT_CLIENT_ID: id, MICROSOFT_CLIENT_SECRET: secret }) =>
      createMicrosoft({ issuer, id: id!, authenticate: secret! }),
  },
  {
    id: 'github',
    name: () => 'GitHub',
    needs: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    isOffered: true,
    create: (config) =>
      createGitHub(
        { id: config.GITHUB_CLIENT_ID!, secret: config.GITHUB_CLIENT_SECRET! },
        { site: config.GITHUB_URL, api: config.GITHUB_API_URL },
      ),
  },
  {
    id: 'apple',
    name: () => 'Apple',
    needs: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
    isOffered: true,
    create: (config) =>
      createApple({
        clientId: config.APPLE_CLIENT_ID!,
        teamId: config.APPLE_TEAM_ID!,
        keyId: config.APPLE_KEY_ID!,
        key: config.APPLE_PRIVATE_KEY!,
        issuer: config.APPLE_ISSUER,
      }),
  },
  {
    id: 'facebook',
    name: () => 'Facebook',
    needs: ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
    isOffered: true,
    create: (config) =>
      createFacebook(
        { id: config.FACEBOOK_CLIENT_ID!, secret: config.FACEBOOK_CLIENT_SECRET! },
        { site: config.FACEBOOK_URL, api: config.FACEBOOK_API_URL },
      ),
  },
  {
    id: 'saml',
    name: ({ SAML_NAME }) => SAML_NAME,
    needs: ['SAML_METADATA'],
    isOffered: true,
    create: (config, deps) =>
      createSaml(deps, {
        id: 'saml',
        settings: {
          ...{ email_attribute: config.SAML_EMAIL_ATTRIBUTE, name_attribute: config.SAML_NAME_ATTRIBUTE },
          ...{ groups_attribute: config.SAML_GROUPS_ATTRIBUTE, accepts_sha1: config.SAML_SHA1 === 'on' },
          signs_out: config.SAML_SIGN_OUT === 'on',
        },
        read: () => readMetadata(config.SAML_METADATA!),
      }),
  },
  {
    id: 'oidc',
    name: ({ OIDC_NAME }) => OIDC_NAME,
    needs: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
    isOffered: false,
    create: (config) =>
      createIssuer(
        { issuer: config.OIDC_ISSUER!, id: config.OIDC_CLIENT_ID!, authenticate: config.OIDC_CLIENT_SECRET! },
        config.OIDC_SCOPES,
        config.OIDC_GROUPS_CLAIM,
        { signsOut: config.OIDC_SIGN_OUT === 'on' },
      ),
  },
  {
    id: 'oauth',
    name: ({ OAUTH_NAME }) => OAUTH_NAME,
    needs: [
      'OAUTH_CLIENT_ID',
      'OAUTH_CLIENT_SECRET',
      'OAUTH_AUTHORIZE_URL',
      'OAUTH_TOKEN_URL',
      'OAUTH_PROFILE_URL',
    ],
    isOffered: false,
    create: (config) =>
      createAnyOAuth(
        { id: config.OAUTH_CLIENT_ID!, secret: config.OAUTH_CLIENT_SECRET! },
        {
          authorize: config.OAUTH_AUTHORIZE_URL!,
          token: config.OAUTH_TOKEN_URL!,
          profile: config.OAUTH_PROFILE_URL!,
        },
        {
          scope: config.OAUTH_SCOPES,
          idField: config.OAUTH_ID_FIELD,
          groupsField: config.OAUTH_GROUPS_FIELD,
        },
      ),
  },
]

/** Returns the display name of a provider of the environment; its id when it is unknown. */
export function nameOfProvider(config: Config, id: string): string {
  if (id === 'ldap') return 'LDAP'
  return providers.find((provider) => provider.id === id)?.name(config) ?? id
}

/** Returns the display names of all providers, also of those set up in the administration. */
export async function providerNames({
  config,
  db,
}: Pick<Deps, 'config' | 'db'>): Promise<(id: string) => string> {
  const stored = await listProviderNames(db)
  return (id) => stored.get(id) ?? nameOfProvider(config, id)
}

export function isReady(provider: Provider, config: Config): boolean {
  return missingSettings(provider, config).length === 0
}

/** Returns the missing settings of a provider. */
export function missingSettings(provider: Provider, config: Config): Setting[] {
  return provider.needs.filter((name) => config[name] === undefined)
}

/** Returns the lookup of services by id: those of the environment, then the stored ones. They are contacted on first use. */
export function createServices(deps: Deps): (id: string) => Promise<ReadyService | null> {
  const ready = providers.filter((provider) => isReady(provider, deps.config))
  const fixed = new Map<string, SignOnService>(ready.map(({ id, create }) => [id, create(deps.config, deps)]))
  const findStored = createStoredServices(deps)
  return async (id) => {
    const service = fixed.get(id)
    if (!service) return findStored(id)
    return { service, trustsAddresses: deps.config.ATRIUM_SIGN_ON_TRUSTED.includes(id) }
  }
}
