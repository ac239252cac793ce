import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type ClientMetadata } from 'oidc-provider'

/** A real local OAuth 2 server that grants access without asking. */
export type OAuthServer = {
  url: string
  /** Starts to serve, with these clients. */
  know: (known: Known) => void
  /** Sets the signed-in person. */
  signInAs: (person: string) => void
  /** Sets its reaction to consent requests. */
  does: (how: 'well' | 'deny') => void
  /** Sets the lifetime of its tokens in seconds. */
  tokensLast: (seconds: number) => void
  /** Returns the person of a token; null for an unknown, expired or revoked one. */
  personOf: (token: string) => Promise<string | null>
  /** Sets the files that the person picks when a page asks for them with `trigger_onepick`, as at Google. */
  picks: (ids: string[]) => void
  /** Received paths and grants, in order. */
  asked: string[]
  /** Revokes all grants, as if the people had revoked them there. */
  forget: () => void
  close: () => void
}

type Known = {
  /** Manually registered clients. */
  clients?: ClientMetadata[]
  /** Allows dynamic client registration. */
  registers?: boolean
  /** Scopes of its own, which are granted too. */
  scopes?: string[]
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state: State = {
    person: 'ada',
    how: 'well',
    seconds: 3_600,
    forgotten: new Set(),
    scopes: [],
    picked: [],
  }
  const grants = new Set<string>()
  const asked: string[] = []
  let provider: Provider | null = null
  const know = ({ clients = [], registers = true, scopes = [] }: Known) => {
    state.scopes = scopes
    provider = createProvider(url, { clients, registers, scopes }, state)
    note(provider, asked, grants)
    answerWith(server, provider, state)
  }
  return {
    ...{ url, asked, know },
    signInAs: (person) => {
      state.person = person
    },
    picks: (ids) => {
      state.picked = ids
    },
    does: (how) => {
      state.how = how
    },
    tokensLast: (seconds) => {
      state.seconds = seconds
    },
    personOf: async (token) => {
      const found = await provider?.AccessToken.find(token)
      return found?.accountId && !state.forgotten.has(found.grantId ?? '') ? found.accountId : null
    },
    forget: () => {
      for (const id of grants) {
        state.forgotten.add(id)
        void provider?.Grant.find(id).then((grant) => grant?.destroy())
      }
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

type State = {
  person: string
  how: string
  seconds: number
  forgotten: Set<string>
  scopes: string[]
  picked: string[]
}

function createProvider(
  url: string,
  { clients, registers, scopes }: Required<Known>,
  state: State,
): Provider {
  return new Provider(url, {
    clients,
    scopes: ['openid', 'offline_access', 'mcp', ...scopes],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registers },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          ...{ scope: 'mcp', accessTokenFormat: 'opaque' as const, accessTokenTTL: state.seconds },
        }),
      },
    },
    // Clients in tests run on other hosts of this machine.
    clientBasedCORS: () => false,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { AccessToken: () => state.seconds },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    cookies: { keys: ['test'] },
  })
}

function note(provider: Provider, asked: string[], grants: Set<string>): void {
  provider.on('grant.success', ({ oidc }) => {
    asked.push(`grant ${oidc.params?.grant_type}`)
    if (oidc.entities.Grant?.jti) grants.add(oidc.entities.Grant.jti)
  })
  provider.on('registration_create.success', () => asked.push('registered'))
}

/** Grants or denies every login and consent immediately. */
function answerWith(server: Server, provider: Provider, state: State): void {
  const callback = provider.callback()
  server.on('request', async (request, response) => {
    if (state.picked.length > 0) addPicked(response, state.picked)
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
    if (state.how === 'deny')
      return provider.interactionFinished(request, response, { error: 'access_denied' })
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: state.person } })
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) })
    grant?.addOIDCScope(['openid offline_access mcp', ...state.scopes].join(' '))
    if (params.resource) grant?.addResourceScope(String(params.resource), 'mcp')
    return provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant?.save() } },
      { mergeWithLastSubmission: true },
    )
  })
}

/** Returns the picked files with the code. */
function addPicked(response: ServerResponse, ids: string[]): void {
  const set = response.setHeader.bind(response)
  response.setHeader = (name, value) => {
    const isReturn = name.toLowerCase() === 'location' && /[?&]code=/.test(String(value))
    return set(name, isReturn ? `${value}&picked_file_ids=${encodeURIComponent(ids.join(','))}` : value)
  }
}
