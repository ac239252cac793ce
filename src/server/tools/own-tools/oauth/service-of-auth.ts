import type { HttpAuth, SecretValues } from '#shared/tools/own-tools/http-call.ts'
import type { Service } from '../../../platform/outbound/oauth/oauth-service.ts'

export type PersonAuth = Extract<HttpAuth, { kind: 'oauth2_user' }>

/** Returns the service of an API as described by its tools' owner. */
export function serviceOfAuth(auth: PersonAuth, { client_secret }: SecretValues): Service {
  return {
    ...{ issuer: null, methods: [], names_itself: false, resource: null },
    ...{ authorize: auth.authorize_url, token: auth.token_url, revoke: auth.revoke_url || null },
    ...{ scope: auth.scopes.join(' '), client_id: auth.client_id, client_secret: client_secret ?? null },
  }
}
