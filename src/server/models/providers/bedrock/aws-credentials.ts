import { ModelError } from '../../models/port.ts'
import type { Endpoint } from '../../models/wire/dialect.ts'
import { sentenceFor } from '../../models/wire/failures.ts'

/** What requests are signed with. */
export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }

/**
 * The keys that an endpoint signs with: those of the connection, whose secret may have a session token behind a colon, else those of
 * the role of this machine. Null where the key is a Bedrock API key, which is sent as it is. @throws ModelError `unauthorized`
 */
export async function readAwsKeys({ api_key, options }: Endpoint): Promise<AwsKeys | null> {
  const accessKeyId = options?.access_key_id
  if (!accessKeyId) return api_key ? null : readRole()
  if (!api_key) throw new ModelError('unauthorized', sentenceFor('unauthorized', 'its secret is missing'))
  const [secretAccessKey = '', sessionToken] = api_key.split(':')
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined }
}

type Role = () => Promise<AwsKeys>
/** Remembers the keys of the role until they expire. */
let role: Role | null = null

/** The role of the machine, container or pod, or what the environment and the AWS files of the server's account say. */
async function readRole(): Promise<AwsKeys> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
  role ??= defaultProvider()
  return role().catch((cause: unknown) => {
    const said = 'no key was given, and this machine has no role of AWS'
    throw new ModelError('unauthorized', sentenceFor('unauthorized', said), { cause })
  })
}
