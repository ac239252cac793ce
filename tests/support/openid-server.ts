import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { interactionPolicy } from 'oidc-provider'

export type OpenIdPerson = {
  sub: string
  email: string
  email_verified: boolean
  name?: string
  locale?: string
}

/** Starts a real local OpenID provider that signs `person` in without asking. */
export async function startOpenIdServer(redirectUri: string) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let person: OpenIdPerson = { sub: 'nobody', email: 'nobody@example.com', email_verified: false }
  const provider = createProvider(issuer, redirectUri, () => person)
  answerWith(server, provider, () => person.sub)
  return {
    issuer,
    signInAs: (next: OpenIdPerson) => {
      person = next
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function createProvider(issuer: string, redirectUri: string, person: () => OpenIdPerson): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'atrium',
        client_secret: 'secret',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'locale'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { policy: withAccountChoice(), url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ ...person(), sub: id }) }),
    cookies: { keys: ['test'] },
  })
}

/** `prompt=select_account` is part of OpenID Connect, but this provider must be configured for it. */
function withAccountChoice() {
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return policy
}

/** Grants every login and consent immediately. */
function answerWith(server: Server, provider: Provider, sub: () => string): void {
  const callback = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login' || prompt.name === 'select_account') {
      return provider.interactionFinished(request, response, {
        login: { accountId: sub() },
        select_account: {},
      })
    }
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) })
    grant?.addOIDCScope('openid email profile')
    return provider.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant?.save() } },
      { mergeWithLastSubmission: true },
    )
  })
}
