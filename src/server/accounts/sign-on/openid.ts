import type { Configuration } from 'openid-client'
import type { Platform } from '../../platform.ts'

/** What a sign-on service says about a person. */
export type Claims = {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  locale: string | null
}

/** The secrets of one attempt: they tie the answer of the service to the browser that asked. */
export type Attempt = { state: string; nonce: string; codeVerifier: string }

export type SignOnService = {
  /** Where the browser is sent to sign in. */
  begin(attempt: Attempt, callback: string): Promise<URL>
  /** Exchanges what came back at the callback for checked claims. */
  finish(attempt: Attempt, callback: URL): Promise<Claims>
}

const timeoutSeconds = 5

/** Google, or the OpenID provider that `GOOGLE_ISSUER` names; null without client id and secret. */
export function createGoogle(config: Platform['config']): SignOnService | null {
  const configuration = describeGoogle(config)
  return configuration && createOpenId(configuration)
}

/** What Google's sign-on service says of itself: asked for when first needed, and again after a failure. Null without client id and secret. */
export function describeGoogle(config: Platform['config']): (() => Promise<Configuration>) | null {
  const { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret } = config
  if (!id || !secret) return null
  let found: Promise<Configuration> | undefined
  return () => {
    found ??= discover(new URL(issuer), id, secret).catch((error) => {
      found = undefined
      throw error
    })
    return found
  }
}

function createOpenId(configuration: () => Promise<Configuration>): SignOnService {
  return {
    async begin(attempt, callback) {
      const client = await import('openid-client')
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: callback,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      })
    },
    async finish(attempt, callback) {
      const client = await import('openid-client')
      const tokens = await client.authorizationCodeGrant(await configuration(), callback, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('The sign-on service sent no id token.')
      return {
        subject: claims.sub,
        email: textOf(claims.email),
        emailVerified: claims.email_verified === true,
        name: textOf(claims.name),
        locale: textOf(claims.locale),
      }
    },
  }
}

async function discover(issuer: URL, clientId: string, secret: string): Promise<Configuration> {
  const client = await import('openid-client')
  // Plain HTTP only where an administrator wrote it into the settings.
  const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []
  return client.discovery(issuer, clientId, secret, undefined, { timeout: timeoutSeconds, execute })
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null
}
