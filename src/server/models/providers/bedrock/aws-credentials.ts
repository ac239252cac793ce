import { ModelError } from '../../models/port.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { sentenceFor } from '../../models/wire/failures.ts'

/** Credentials that sign requests. */
export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }

/**
 * Returns the credentials of an endpoint: those of the connection, otherwise those of this machine's role. A session token may follow
 * the secret after a colon. Returns null for a Bedrock API key, which is sent unchanged. @throws ModelError `unauthorized`
 */
export async function readAwsKeys({ api_key, options }: Endpoint): Promise<AwsKeys | null> {
  const accessKeyId = options?.access_key_id
  if (!accessKeyId) return api_key ? null : readRole()
  if (!api_key) throw new ModelError('unauthorized', sentenceFor('unauthorized', 'its secret is missing'))
  const [secretAccessKey = '', sessionToken] = api_key.split(':')
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined }
}

type Role = () => Promise<AwsKeys>
/** Caches the credentials of the role until they expire. */
let role: Role | null = null

/** Reads credentials from the environment, the AWS files of the server's account, or the role of the machine, container or pod. */
async function readRole(): Promise<AwsKeys> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
  role ??= defaultProvider()
  return role().catch((cause: unknown) => {
    const said = 'no key was given, and this machine has no role of AWS'
    throw new ModelError('unauthorized', sentenceFor('unauthorized', said), { cause })
  })
}
