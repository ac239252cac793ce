import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Claims, SignOnService } from './sign-on-service.ts'

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** What one service does its own way; the rest of the way is the same for all. */
export type CodeFlow = {
  /** What is known of the service: asked for when first needed, and again after a failure. */
  configuration: () => Promise<Configuration>
  scope: string
  /** What the service wants besides in the address it is visited at. */
  parameters?: Record<string, string>
  /** Whether a signed id token must come, for this attempt. */
  isOpenId: boolean
  read: (tokens: Tokens, configuration: Configuration, callback: URL) => Promise<Claims>
}

/**
 * Signing on by an authorization code (RFC 6749, with PKCE of RFC 7636, and OpenID Connect Core): state, issuer of the
 * answer (RFC 9207), nonce, signature and audience of the id token are checked by `openid-client`.
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
