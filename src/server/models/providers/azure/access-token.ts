import type { Entra } from '#shared/models/connections/connections.ts'
import { createAccessTokens } from '../../models/wire/access-tokens.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'

const tokens = createAccessTokens('Entra ID')

/** Sovereign clouds of Azure issue tokens of their own, for their own resources. */
const clouds = [
  { of: /\.azure\.us$/, authority: 'https://login.microsoftonline.us', audience: 'azure.us' },
  { of: /\.azure\.cn$/, authority: 'https://login.partner.microsoftonline.cn', audience: 'azure.cn' },
]
const publicCloud = { authority: 'https://login.microsoftonline.com', audience: 'azure.com' }

/** The endpoint as it is called: with an access token in place of the secret, where an application calls. @throws ModelError */
export async function authorize(endpoint: Endpoint): Promise<Endpoint> {
  const { entra, api_key: secret, base_url } = endpoint
  if (!entra || !secret) return endpoint
  const wish = () => wishOf(entra, secret, new URL(base_url).hostname)
  return { ...endpoint, key_header: undefined, api_key: await tokens.get(keyOf(entra, secret), wish) }
}

/** Forgets the token of an application: the next call asks for another. */
export function forgetToken({ entra, api_key }: Pick<Endpoint, 'entra' | 'api_key'>): void {
  if (entra && api_key) tokens.forget(keyOf(entra, api_key))
}

const keyOf = ({ tenant_id, client_id, authority }: Entra, secret: string) =>
  JSON.stringify([tenant_id, client_id, authority ?? null, secret])

/** The client credentials of an application, for the cloud of a host. */
function wishOf(entra: Entra, client_secret: string, host: string) {
  const cloud = clouds.find(({ of }) => of.test(host)) ?? publicCloud
  const authority = (entra.authority || cloud.authority).replace(/(?<!\/)\/+$/, '')
  return {
    url: `${authority}/${encodeURIComponent(entra.tenant_id)}/oauth2/v2.0/token`,
    form: {
      grant_type: 'client_credentials',
      client_id: entra.client_id,
      client_secret,
      scope: `https://cognitiveservices.${cloud.audience}/.default`,
    },
  }
}
