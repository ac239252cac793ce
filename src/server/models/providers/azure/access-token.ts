import { request } from 'undici'
import * as z from 'zod'
import type { Entra } from '#shared/models/connections/connections.ts'
import { readJson, tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ModelError } from '../../models/port.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { failureOf, sentenceFor, unreachable } from '../../models/wire/failures.ts'

const PATIENCE_MS = 15_000
/** Tokens are replaced this long before they expire, because a call may wait before it is sent. */
const MARGIN_MS = 5 * 60_000
const MAX_BYTES = 256 * 1024

const Issued = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() })

type Token = { value: Promise<string>; until: number }

/** Access tokens of this process, by application and secret. */
const tokens = new Map<string, Token>()

/** Sovereign clouds of Azure issue tokens of their own, for their own resources. */
const clouds = [
  { of: /\.azure\.us$/, authority: 'https://login.microsoftonline.us', audience: 'azure.us' },
  { of: /\.azure\.cn$/, authority: 'https://login.partner.microsoftonline.cn', audience: 'azure.cn' },
]
const publicCloud = { authority: 'https://login.microsoftonline.com', audience: 'azure.com' }

/** The endpoint as it is called: with an access token in place of the secret, where an application calls. @throws ModelError */
export async function authorize(endpoint: Endpoint): Promise<Endpoint> {
  const { entra, api_key, base_url } = endpoint
  if (!entra || !api_key) return endpoint
  return {
    ...endpoint,
    key_header: undefined,
    api_key: await tokenOf(entra, api_key, new URL(base_url).hostname),
  }
}

/** Forgets the token of an application: the next call asks for another. */
export function forgetToken({ entra, api_key }: Pick<Endpoint, 'entra' | 'api_key'>): void {
  if (entra && api_key) tokens.delete(keyOf(entra, api_key))
}

const keyOf = ({ tenant_id, client_id, authority }: Entra, secret: string) =>
  JSON.stringify([tenant_id, client_id, authority ?? null, secret])

async function tokenOf(entra: Entra, secret: string, host: string): Promise<string> {
  const key = keyOf(entra, secret)
  const known = tokens.get(key)
  if (known && known.until > Date.now()) return known.value
  const token: Token = { until: Date.now() + PATIENCE_MS, value: Promise.resolve('') }
  token.value = issue(entra, secret, host).then(({ access_token, expires_in }) => {
    token.until = Date.now() + expires_in * 1000 - MARGIN_MS
    return access_token
  })
  tokens.set(key, token)
  return token.value.catch((error) => {
    tokens.delete(key)
    throw error
  })
}

/** Asks Entra ID for a token with the client credentials of an application. */
async function issue(entra: Entra, secret: string, host: string): Promise<z.infer<typeof Issued>> {
  const cloud = clouds.find(({ of }) => of.test(host)) ?? publicCloud
  const authority = (entra.authority || cloud.authority).replace(/(?<!\/)\/+$/, '')
  const answer = await request(`${authority}/${encodeURIComponent(entra.tenant_id)}/oauth2/v2.0/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: entra.client_id,
      client_secret: secret,
      scope: `https://cognitiveservices.${cloud.audience}/.default`,
    }).toString(),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw unreachable(error)
  })
  const bytes = Buffer.from(await answer.body.arrayBuffer()).subarray(0, MAX_BYTES)
  if (answer.statusCode >= 300) throw refused(answer.statusCode, bytes.toString())
  const issued = Issued.safeParse(await readJson(bytes).catch(() => null))
  if (!issued.success)
    throw new ModelError('invalid_answer', sentenceFor('invalid_answer', 'Entra ID gave no access token'))
  return issued.data
}

const Refusal = z.object({ error_description: z.string() })

/** Entra ID rejects a wrong secret, application or tenant with 400 or 401. */
function refused(status: number, body: string): ModelError {
  const failure = failureOf(status, body, {})
  if (status >= 500 || status === 429) return failure
  const told = Refusal.safeParse(tryJson(body))
  const said = told.success
    ? (told.data.error_description.split(/\r?\n/)[0] ?? '')
    : `Entra ID answered ${status}`
  return new ModelError('unauthorized', sentenceFor('unauthorized', said), { status, said })
}
