import type { Configuration } from 'openid-client'

/** Sheets created by the product, and no other files of the person. */
const SCOPE = 'https://www.googleapis.com/auth/drive.file'

/** Google no longer accepts the product's token: the person has to connect again. */
export class NotConnected extends Error {}

/** The Google account of a person who let the product use it. */
export type GoogleAccount = {
  /** The address at which the person gives permission. */
  askAt(attempt: { state: string; verifier: string }, callback: string): Promise<URL>
  /** Exchanges the returned code for a refresh token. */
  finish(attempt: { state: string; verifier: string }, callback: URL): Promise<string>
  /** Returns an access token. @throws NotConnected */
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
      if (!refresh_token) throw new Error('Google granted no permanent access.')
      return refresh_token
    },
    async enter(refreshToken) {
      const client = await import('openid-client')
      try {
        return (await client.refreshTokenGrant(await configuration(), refreshToken)).access_token
      } catch (error) {
        // The person revoked it, or it is too old (RFC 6749, 5.2).
        if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
          throw new NotConnected()
        throw error
      }
    },
  }
}
