import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client'
import { fetchBounded } from '../../../platform/outbound/foreign/bounded-fetch.ts'
import type { Platform } from '../../../platform/platform.ts'
import { type CodeFlow, createCodeFlow } from './code-flow.ts'
import {
  type Claims,
  groupsOf,
  isTrue,
  type SignOnService,
  TIMEOUT_SECONDS,
  textOf,
} from './sign-on-service.ts'

type Client = { issuer: string; id: string; authenticate: ClientAuth | string }
type Said = IDToken | (IDToken & UserInfoResponse)

/** Google's sign-on, or the OpenID provider that `GOOGLE_ISSUER` names. */
export function createGoogle(configuration: () => Promise<Configuration>): SignOnService {
  return createOpenId({ configuration, parameters: { prompt: 'select_account' } })
}

/** What Google's sign-on service says of itself; null without client id and secret. */
export function describeGoogle(config: Platform['config']): (() => Promise<Configuration>) | null {
  const { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret } = config
  return id && secret ? describeIssuer({ issuer, id, authenticate: secret }) : null
}

/**
 * Microsoft's sign-on. It says of no address that it was proved; the directory of one organisation is trusted with those
 * of its own people, never with guests, and where any organisation may come only what the claim `xms_edov` vouches for.
 */
export function createMicrosoft(client: Client): SignOnService {
  const isOneDirectory = !/\/(common|organizations|consumers)(\/|$)/.test(new URL(client.issuer).pathname)
  // `xms_edov` vouches for the claim `email` alone, never for the name that stands in where it is missing.
  const isProved = (said: Said) =>
    (textOf(said.email) !== null && isOn(said.xms_edov)) || (isOneDirectory && said.idp === undefined)
  return createOpenId({
    configuration: describeIssuer(client),
    parameters: { prompt: 'select_account' },
    toClaims: (said) => ({
      ...claimsOf(said, 'groups'),
      email: textOf(said.email) ?? textOf(said.preferred_username),
      emailVerified: isProved(said),
    }),
  })
}

/** Any issuer. What its id token leaves out is asked for besides. Its name is part of who somebody is: another issuer knows others. */
export function createIssuer(client: Client, scope: string, groupsClaim: string): SignOnService {
  return createOpenId({
    configuration: describeIssuer(client),
    scope,
    isComplete: (said) => said.email !== undefined && said[groupsClaim] !== undefined,
    toClaims: (said) => ({ ...claimsOf(said, groupsClaim), subject: `${said.iss} ${said.sub}` }),
  })
}

const isOn = (claim: unknown) => isTrue(claim) || claim === 1 || claim === '1'

type OpenId = Pick<CodeFlow, 'configuration' | 'parameters'> & {
  scope?: string
  toClaims?: (said: Said, callback: URL) => Claims
  isComplete?: (said: Said) => boolean
}

export function createOpenId({
  toClaims = claimsOf,
  isComplete = () => true,
  scope = 'openid email profile',
  ...flow
}: OpenId): SignOnService {
  return createCodeFlow({
    ...flow,
    scope,
    isOpenId: true,
    read: async (tokens, configuration, callback) => {
      const said = tokens.claims()
      if (!said) throw new Error('The sign-on service sent no id token.')
      if (isComplete(said) || !configuration.serverMetadata().userinfo_endpoint)
        return toClaims(said, callback)
      const client = await import('openid-client')
      const more = await client.fetchUserInfo(configuration, tokens.access_token, said.sub)
      return toClaims({ ...more, ...said, ...proofOf(said, more) }, callback)
    },
  })
}

/** Whether an address is proved, said of the same address: a proof of one source never counts for the address of the other. */
function proofOf(said: IDToken, more: UserInfoResponse): { email_verified?: boolean } {
  if (said.email === undefined || said.email_verified !== undefined || said.email === more.email) return {}
  return { email_verified: false }
}

/** The claims every issuer gives under the same names. */
export function claimsOf(said: Said, groupsClaim: unknown = null): Claims {
  return {
    subject: said.sub,
    email: textOf(said.email),
    emailVerified: isTrue(said.email_verified),
    isOfHouse: false,
    name: textOf(said.name),
    locale: textOf(said.locale),
    groups: typeof groupsClaim === 'string' ? groupsOf(said[groupsClaim]) : [],
  }
}

/** Discovery when it is first needed, and again after a failure. */
export function describeIssuer({ issuer, id, authenticate }: Client): () => Promise<Configuration> {
  let found: Promise<Configuration> | undefined
  return () => {
    found ??= discover(new URL(issuer), id, authenticate).catch((error) => {
      found = undefined
      throw error
    })
    return found
  }
}

async function discover(issuer: URL, id: string, authenticate: ClientAuth | string): Promise<Configuration> {
  const client = await import('openid-client')
  // Plain HTTP only where an administrator wrote it into the settings.
  const insecure = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
  // Without it the line to the service would vouch for an id token, not its signature.
  const execute = [client.enableNonRepudiationChecks, ...insecure]
  const options = { timeout: TIMEOUT_SECONDS, execute, [client.customFetch]: fetchBounded }
  return typeof authenticate === 'string'
    ? client.discovery(issuer, id, authenticate, undefined, options)
    : client.discovery(issuer, id, undefined, authenticate, options)
}
