import { Buffer } from 'node:buffer'
import { sign } from 'node:crypto'
import * as z from 'zod'
import { tryJson } from '../../../platform/outbound/foreign/foreign.ts'
import { ModelError } from '../../models/port.ts'
import { createAccessTokens } from '../../models/wire/access-tokens.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { sentenceFor } from '../../models/wire/failures.ts'
import { inProject } from './vertex-address.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const LIFETIME_SECONDS = 3600

const KeyFile = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  project_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
})
type KeyFile = z.infer<typeof KeyFile>

const tokens = createAccessTokens('Google')

/**
 * Returns the endpoint with an access token instead of the key file of a service account, in the typed project, otherwise in that of the
 * key file. An API key is sent unchanged. @throws ModelError
 */
export async function authorizeVertex(endpoint: Endpoint): Promise<Endpoint> {
  const { api_key } = endpoint
  if (!isKeyFile(api_key)) return endpoint
  const file = readKeyFile(api_key)
  return {
    ...endpoint,
    base_url: inProject(endpoint, file.project_id),
    key_header: 'authorization',
    api_key: await tokens.get(api_key, () => wishOf(file)),
  }
}

/** Evicts the access token of a service account, so that the next call requests a new one. */
export function forgetVertex({ api_key }: Endpoint): void {
  if (api_key) tokens.forget(api_key)
}

const isKeyFile = (key: string | null): key is string => key?.trimStart().startsWith('{') ?? false

function readKeyFile(text: string): KeyFile {
  const file = KeyFile.safeParse(tryJson(text))
  if (!file.success) throw unreadable()
  return file.data
}

function unreadable(cause?: unknown): ModelError {
  const said = 'the key file of the service account cannot be read'
  return new ModelError('unauthorized', sentenceFor('unauthorized', said), { cause })
}

/** The JWT assertion (RFC 7523) that the issuer exchanges for an access token. */
function wishOf({ client_email, private_key, private_key_id, token_uri }: KeyFile) {
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(private_key_id && { kid: private_key_id }) }
  const claims = { iss: client_email, scope: SCOPE, aud: token_uri, iat: now, exp: now + LIFETIME_SECONDS }
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  return { url: token_uri, form: { grant_type, assertion: `${text}.${signText(text, private_key)}` } }
}

function signText(text: string, private_key: string): string {
  try {
    return sign('RSA-SHA256', Buffer.from(text), private_key).toString('base64url')
  } catch (error) {
    throw unreadable(error)
  }
}
