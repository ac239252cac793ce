import type { Configuration } from 'openid-client'

/** Sheets the product makes, and no other file of the person. */
const SCOPE = 'https://www.googleapis.com/auth/drive.file'

/** Google no longer lets the product in: the person has to connect anew. */
export class NotConnected extends Error {}

/** The account of a person at Google, which they let this product use. */
export type GoogleAccount = {
  /** Where the browser goes for the person's leave. */
  askAt(attempt: { state: string; verifier: string }, callback: string): Promise<URL>
  /** Exchanges what came back for a refresh token. */
  finish(attempt: { state: string; verifier: string }, callback: URL): Promise<string>
  /** A token to call with. @throws NotConnected */
  enter(refreshToken: string): Promise<string>
}

export function createGoogleAccount(configuration: () => Promise<Configuration>): GoogleAccount {
  return {
    async askAt({ state, verifier }, callback) {
      const client = await import('openid-client')
      return client.buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: callback, scope: SCOPE, state, access_type: 'offline', prompt: 'consent' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
    },
    async finish({ state, verifier }, callback) {
      const client = await import('openid-client')
      const { refresh_token } = await client.authorizationCodeGrant(await configuration(), callback, {
        ...{ expectedState: state, pkceCodeVerifier: verifier },
      })
      if (!refresh_token) throw new Error('Google gave no leave that lasts.')
      return refresh_token
    },
    async enter(refreshToken) {
      const client = await import('openid-client')
      try {
        return (await client.refreshTokenGrant(await configuration(), refreshToken)).access_token
      } catch (error) {
        // What a person took back, or what is too old (RFC 6749, 5.2).
        if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
          throw new NotConnected()
        throw error
      }
    },
  }
}
