import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client'
import { fetchBounded } from '../../../platform/outbound/foreign/bounded-fetch.ts'
import type { Platform } from '../../../platform/platform.ts'
import { claimAt } from './claim-at.ts'
import { type CodeFlow, createCodeFlow } from './code-flow.ts'
import { askGraph, GRAPH_SCOPE } from './entra-groups.ts'
import {
  type Claims,
  isTrue,
  readGroups,
  type SignOnService,
  TIMEOUT_SECONDS,
  textOf,
} from './sign-on-service.ts'

type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>
export type Client = {
  issuer: string
  id: string
  authenticate: ClientAuth | string
  /** Default: that of services in the environment. */
  fetch?: Fetch
}
type Said = IDToken | (IDToken & UserInfoResponse)

/** Creates Google's sign-on, or one for the OpenID provider in `GOOGLE_ISSUER`. */
export function createGoogle(configuration: () => Promise<Configuration>): SignOnService {
  return createOpenId({ configuration, parameters: { prompt: 'select_account' } })
}

/** Returns Google's configuration, or null without client id and secret. */
export function describeGoogle(config: Platform['config']): (() => Promise<Configuration>) | null {
  const { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret } = config
  return id && secret ? describeIssuer({ issuer, id, authenticate: secret }) : null
}

/**
 * Creates Microsoft's sign-on, which never marks addresses as proved. A single-tenant directory is trusted with addresses of its own
 * members, not guests. With any tenant only the claim `xms_edov` counts.
 */
export function createMicrosoft(client: Client): SignOnService {
  const isOneDirectory = !/\/(common|organizations|consumers)(\/|$)/.test(new URL(client.issuer).pathname)
  // `xms_edov` applies to the claim `email` only, never to the name used in its absence.
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

type IssuerOptions = {
  signsOut?: boolean
  /** Address of Microsoft Graph, which is asked for groups that Entra leaves out. */
  graph?: string | undefined
}

/** Creates a sign-on for any issuer. Missing claims come from the user info address. The issuer is part of the subject. */
export function createIssuer(
  client: Client,
  scope: string,
  groupsClaim: string,
  { signsOut = false, graph }: IssuerOptions = {},
): SignOnService {
  const configuration = describeIssuer(client)
  const service = createOpenId({
    configuration,
    scope: graph === undefined ? scope : `${scope} ${GRAPH_SCOPE}`,
    complete: async (claims, token) => {
      if (graph === undefined || claims.groups !== 'too_many') return claims
      return { ...claims, groups: await askGraph(client.fetch ?? fetchBounded, token, graph) }
    },
    keepsHint: signsOut,
    isComplete: (said) => said.email !== undefined && claimAt(said, groupsClaim) !== undefined,
    toClaims: (said) => ({ ...claimsOf(said, groupsClaim), subject: `${said.iss} ${said.sub}` }),
  })
  return signsOut ? { ...service, signOut: (hint, back) => signOut(configuration, hint, back) } : service
}

/** Returns the address of OpenID Connect RP-Initiated Logout 1.0. `hint` is the id token of the sign-on. */
async function signOut(
  configuration: () => Promise<Configuration>,
  hint: string,
  back: string,
): Promise<URL | null> {
  const found = await configuration()
  if (!found.serverMetadata().end_session_endpoint) return null
  const client = await import('openid-client')
  return client.buildEndSessionUrl(found, { id_token_hint: hint, post_logout_redirect_uri: back })
}

const isOn = (claim: unknown) => isTrue(claim) || claim === 1 || claim === '1'

type OpenId = Pick<CodeFlow, 'configuration' | 'parameters'> & {
  scope?: string
  toClaims?: (said: Said, callback: URL) => Claims
  isComplete?: (said: Said) => boolean
  /** Adds what the claims leave out, asked with the person's access token. */
  complete?: (claims: Claims, token: string) => Promise<Claims>
  /** Keeps the id token to end the session there later. */
  keepsHint?: boolean
}

export function createOpenId({
  toClaims = claimsOf,
  isComplete = () => true,
  scope = 'openid email profile',
  keepsHint = false,
  complete = async (claims) => claims,
  ...flow
}: OpenId): SignOnService {
  return createCodeFlow({
    ...flow,
    scope,
    isOpenId: true,
    read: async (tokens, configuration, callback) => {
      const said = tokens.claims()
      if (!said) throw new Error('The sign-on service sent no id token.')
      const hint = keepsHint ? { hint: tokens.id_token } : {}
      if (isComplete(said) || !configuration.serverMetadata().userinfo_endpoint)
        return { ...(await complete(toClaims(said, callback), tokens.access_token)), ...hint }
      const client = await import('openid-client')
      const more = await client.fetchUserInfo(configuration, tokens.access_token, said.sub)
      const whole = { ...more, ...said, ...proofOf(said, more) }
      return { ...(await complete(toClaims(whole, callback), tokens.access_token)), ...hint }
    },
  })
}

/** Returns whether an address is proved. A proof applies only to the address from the same source. */
function proofOf(said: IDToken, more: UserInfoResponse): { email_verified?: boolean } {
  if (said.email === undefined || said.email_verified !== undefined || said.email === more.email) return {}
  return { email_verified: false }
}

/** Returns the claims with common names. */
export function claimsOf(said: Said, groupsClaim: unknown = null): Claims {
  return {
    subject: said.sub,
    email: textOf(said.email),
    emailVerified: isTrue(said.email_verified),
    isOfHouse: false,
    name: textOf(said.name),
    locale: textOf(said.locale),
    groups:
      typeof groupsClaim === 'string'
        ? readGroups(claimAt(said, groupsClaim), isOverage(said, groupsClaim))
        : 'not_sent',
  }
}

/**
 * Returns whether the service names another place to read the groups from (OpenID Connect Core 5.6.2). Entra does so above 200 groups,
 * and in short tokens with `hasgroups`.
 */
function isOverage(said: Said, groupsClaim: string): boolean {
  const elsewhere = Object(said._claim_names)
  return isTrue(said.hasgroups) || groupsClaim in elsewhere || 'groups' in elsewhere
}

/** Runs discovery on first use, and again after a failure. */
export function describeIssuer({ issuer, id, authenticate, fetch }: Client): () => Promise<Configuration> {
  let found: Promise<Configuration> | undefined
  return () => {
    found ??= discover(new URL(issuer), id, authenticate, fetch).catch((error) => {
      found = undefined
      throw error
    })
    return found
  }
}

async function discover(
  issuer: URL,
  id: string,
  authenticate: ClientAuth | string,
  fetch: Fetch = fetchBounded,
): Promise<Configuration> {
  const client = await import('openid-client')
  // Plain HTTP only if the administrator configured it.
  const insecure = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
  // Without it an id token would be trusted by its TLS connection instead of its signature.
  const execute = [client.enableNonRepudiationChecks, ...insecure]
  const options = { timeout: TIMEOUT_SECONDS, execute, [client.customFetch]: fetch }
  return typeof authenticate === 'string'
    ? client.discovery(issuer, id, authenticate, undefined, options)
    : client.discovery(issuer, id, undefined, authenticate, options)
}
