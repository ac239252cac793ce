import type { Configuration } from 'openid-client'
import { fetchBounded } from '../../../platform/outbound/foreign/bounded-fetch.ts'
import { readJson } from '../../../platform/outbound/foreign/foreign.ts'
import { claimAt } from './claim-at.ts'
import { createCodeFlow } from './code-flow.ts'
import {
  type Claims,
  isTrue,
  readGroups,
  type SignOnService,
  TIMEOUT_SECONDS,
  textOf,
} from './sign-on-service.ts'

type Client = { id: string; secret: string }
/** Fetches an address of the service with the user's token. */
type Ask = (address: string) => Promise<unknown>
type Server = {
  /** The service's issuer name in its responses (RFC 9207), if it sends one. */
  issuer: string
  authorize: string
  token: string
}

/** Creates GitHub's sign-on, which needs two calls: for the name and for the primary address. */
export function createGitHub(client: Client, { site, api }: { site: string; api: string }): SignOnService {
  const at = { issuer: under(site, 'login/oauth') }
  const server = { ...at, authorize: `${at.issuer}/authorize`, token: `${at.issuer}/access_token` }
  return createOAuth(client, server, 'read:user user:email', async (ask) => {
    const user = recordOf(await ask(under(api, 'user')))
    const emails = await ask(under(api, 'user/emails'))
    const primary = (Array.isArray(emails) ? emails.map(recordOf) : []).find((email) => isTrue(email.primary))
    return {
      ...profileOf(user, 'id'),
      name: textOf(user.name) ?? textOf(user.login),
      email: textOf(primary?.email),
      emailVerified: isTrue(primary?.verified),
    }
  })
}

/** Creates Facebook's sign-on. It gives an address on request, without saying whether it is proved. */
export function createFacebook(client: Client, { site, api }: { site: string; api: string }): SignOnService {
  const server = {
    issuer: new URL(site).origin,
    authorize: under(site, 'v23.0/dialog/oauth'),
    token: under(api, 'v23.0/oauth/access_token'),
  }
  return createOAuth(client, server, 'email public_profile', async (ask) => {
    const user = recordOf(await ask(under(api, 'v23.0/me?fields=id,name,email')))
    return { ...profileOf(user, 'id'), emailVerified: false }
  })
}

/** Creates a sign-on for any OAuth 2 server with a user info address in OpenID Connect format. */
export function createAnyOAuth(
  client: Client,
  addresses: { authorize: string; token: string; profile: string },
  { scope, idField, groupsField }: { scope: string; idField: string; groupsField: string },
): SignOnService {
  const { origin } = new URL(addresses.authorize)
  return createOAuth(client, { ...addresses, issuer: origin }, scope, async (ask) => {
    const user = recordOf(await ask(addresses.profile))
    const claims = profileOf(user, idField)
    return {
      ...claims,
      subject: `${origin} ${claims.subject}`,
      groups: readGroups(claimAt(user, groupsField)),
    }
  })
}

function createOAuth(
  client: Client,
  server: Server,
  scope: string,
  read: (ask: Ask) => Promise<Claims>,
): SignOnService {
  return createCodeFlow({
    configuration: () => configure(client, server),
    scope,
    isOpenId: false,
    read: async (tokens, configuration) => {
      const { fetchProtectedResource } = await import('openid-client')
      return read(async (address) => {
        const answer = await fetchProtectedResource(
          configuration,
          tokens.access_token,
          new URL(address),
          'GET',
          null,
          new Headers({ accept: 'application/json' }),
        )
        if (!answer.ok) throw new Error(`The sign-on service answered ${answer.status} about the person.`)
        return readJson(new Uint8Array(await answer.arrayBuffer()))
      })
    },
  })
}

async function configure({ id, secret }: Client, server: Server): Promise<Configuration> {
  const client = await import('openid-client')
  const { issuer, authorize: authorization_endpoint, token: token_endpoint } = server
  const configuration = new client.Configuration(
    { issuer, authorization_endpoint, token_endpoint },
    id,
    secret,
  )
  configuration.timeout = TIMEOUT_SECONDS
  configuration[client.customFetch] = fetchBounded
  // Plain HTTP only if the administrator configured it.
  if (authorization_endpoint.startsWith('http:')) client.allowInsecureRequests(configuration)
  return configuration
}

/** @throws when the profile does not say whose it is */
function profileOf(user: Record<string, unknown>, idField: string): Claims {
  const id = typeof user[idField] === 'number' ? String(user[idField]) : textOf(user[idField])
  if (!id) throw new Error('The sign-on service did not say who the person is.')
  return {
    subject: id,
    email: textOf(user.email),
    emailVerified: isTrue(user.email_verified),
    isOfHouse: false,
    name: textOf(user.name),
    locale: textOf(user.locale),
    groups: 'not_sent',
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function under(base: string, path: string): string {
  return `${base.replace(/(?<!\/)\/+$/, '')}/${path}`
}
