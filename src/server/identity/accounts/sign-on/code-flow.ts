import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Claims, SignOnService } from './sign-on-service.ts'

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** The service-specific parts of the flow. */
export type CodeFlow = {
  /** Loads the service's configuration on first use, and again after a failure. */
  configuration: () => Promise<Configuration>
  scope: string
  /** Additional parameters of the authorization request. */
  parameters?: Record<string, string>
  /** Whether a signed id token is required. */
  isOpenId: boolean
  read: (tokens: Tokens, configuration: Configuration, callback: URL) => Promise<Claims>
}

/**
 * Creates a sign-on by authorization code (RFC 6749, PKCE of RFC 7636, OpenID Connect Core). `openid-client` checks the
 * state, the issuer (RFC 9207), the nonce, and the signature and audience of the id token.
 */
export function createCodeFlow(flow: CodeFlow): SignOnService {
  return {
    async begin(attempt, callback) {
      const client = await import('openid-client')
      return client.buildAuthorizationUrl(await flow.configuration(), {
        redirect_uri: callback,
        scope: flow.scope,
        state: attempt.state,
        ...(flow.isOpenId && { nonce: attempt.nonce }),
        code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        ...flow.parameters,
      })
    },
    async finish(attempt, callback) {
      const client = await import('openid-client')
      const configuration = await flow.configuration()
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        expectedState: attempt.state,
        ...(flow.isOpenId && { expectedNonce: attempt.nonce, idTokenExpected: true }),
        pkceCodeVerifier: attempt.codeVerifier,
      })
      return flow.read(tokens, configuration, callback)
    },
    async check() {
      await flow.configuration()
    },
  }
}
