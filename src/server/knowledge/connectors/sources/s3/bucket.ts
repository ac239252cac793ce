import type { Settings } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { ItemRefused, SignedOut, SourceBusy, type SourceContext } from '../../define-connector.ts'
import { assertAnswered } from '../../source-requests.ts'

const DEFAULT_REGION = 'us-east-1'
/** Wait after a SlowDown without a Retry-After header. */
const SLOW_DOWN_SECONDS = 30

/** A bucket with its address, which ends with a slash, and the keys that sign requests to it; null for a public bucket. */
export type Bucket = {
  context: SourceContext
  name: string
  region: string
  base: URL
  host: string
  isAws: boolean
  keys: { accessKeyId: string; secretAccessKey: string } | null
}

/** @throws AppError `invalid` */
export function bucketOf(context: SourceContext): Bucket {
  const { bucket = '', access_key = '', secret_key = '' } = context.settings
  const name = bucket.trim()
  if (!/^[\w.-]{1,255}$/.test(name) || /^\.+$/.test(name))
    throw new AppError('invalid', 'The name of the bucket is not valid.')
  if ((access_key === '') !== (secret_key === ''))
    throw new AppError('invalid', 'Enter the access key and the secret key, or neither for a public bucket.')
  const region = regionOf(context.settings)
  const endpoint = endpointOf(context.settings)
  const base = new URL(endpoint)
  const isAws = base.host === hostOfAws(region)
  // A certificate of AWS is valid for one label before its host: a name with dots must be in the path.
  const goesInHost = isAws && /^[a-z0-9-]+$/.test(name)
  if (goesInHost) base.host = `${name}.${base.host}`
  else if (!base.host.startsWith(`${name}.`)) base.pathname += `${name}/`
  const keys = access_key ? { accessKeyId: access_key.trim(), secretAccessKey: secret_key.trim() } : null
  return { context, name, region, base, host: base.host, isAws, keys }
}

/** Returns the host of the endpoint; null for settings without a valid one. */
export function hostOfBucket(settings: Settings): string | null {
  try {
    return endpointOf(settings).host
  } catch {
    return null
  }
}

function endpointOf(settings: Settings): URL {
  const address = settings.address || `https://${hostOfAws(regionOf(settings))}`
  if (!URL.canParse(address)) throw new AppError('invalid', 'The address is not valid.')
  const url = new URL(address)
  url.search = url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

function regionOf({ region = '' }: Settings): string {
  const name = region.trim() || DEFAULT_REGION
  if (!/^[a-z0-9-]{1,40}$/i.test(name)) throw new AppError('invalid', 'The region is not valid.')
  return name
}

const hostOfAws = (region: string) => `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`

/** Returns the address of a key, or of the bucket with a query, and the headers that sign a GET request to it. */
export async function signGet(
  { base, region, keys }: Bucket,
  key: string,
  query: Record<string, string> = {},
): Promise<{ url: string; headers: Record<string, string> }> {
  const url = new URL(base)
  url.pathname = base.pathname + key.split('/').map(encodeURIComponent).join('/')
  url.search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  if (!keys) return { url: url.href, headers: {} }
  const { AwsV4Signer } = await import('aws4fetch')
  const signer = new AwsV4Signer({ url: url.href, method: 'GET', service: 's3', region, ...keys })
  const { headers } = await signer.sign()
  return { url: url.href, headers: Object.fromEntries(headers) }
}

/** Codes of a sign-in that ended or never worked. */
const signedOut = new Set([
  ...['AccountProblem', 'ExpiredToken', 'InvalidAccessKeyId', 'InvalidToken', 'NotSignedUp', 'Unauthorized'],
  ...['SignatureDoesNotMatch', 'TokenRefreshRequired', 'InvalidSecurity', 'AllAccessDisabled'],
])
const busy = new Set(['SlowDown', 'RequestLimitExceeded', 'TooManyRequests', 'ThrottlingException'])

/**
 * Reports an answer that is no success. `text` is the beginning of its body.
 * @throws SignedOut, ItemRefused, SourceBusy, AppError `unavailable`, AppError `not_available` for settings to correct
 */
export function refuse(
  { host, name, region }: Bucket,
  { status, headers }: { status: number; headers: Headers },
  text: string,
): never {
  const code = /<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? ''
  const right =
    headers.get('x-amz-bucket-region') ?? /<Region>([a-z0-9-]{1,40})<\/Region>/.exec(text)?.[1] ?? null
  if (right !== null && right !== region && status !== 403 && status !== 404)
    throw new AppError('not_available', `The bucket “${name}” is in the region ${right}, not in ${region}.`)
  if (status >= 300 && status < 400)
    throw new AppError(
      'not_available',
      `${host} refers to another address. Check the address and the region.`,
    )
  if (signedOut.has(code)) throw new SignedOut(`${host} refuses the sign-in (${code}).`)
  if (code === 'RequestTimeTooSkewed')
    throw new AppError('not_available', `The clocks of ${host} and of this server differ too much.`)
  if (code === 'InvalidObjectState')
    throw new ItemRefused('refused', 'It is archived. Restore it at the source first.')
  if (code === 'NoSuchBucket') throw new AppError('not_available', `${host} has no bucket “${name}”.`)
  if (busy.has(code) && !headers.has('retry-after')) throw new SourceBusy(SLOW_DOWN_SECONDS)
  assertAnswered(host, { status, headers })
  throw new AppError('unavailable', `${host} does not answer as an S3 server.`)
}
