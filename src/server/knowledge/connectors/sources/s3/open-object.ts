import type { Readable } from 'node:stream'
import { readAtMost } from '../../../../platform/outbound/outbound.ts'
import { ItemRefused } from '../../define-connector.ts'
import { bodyOf } from '../../source-requests.ts'
import { type Bucket, refuse, signGet } from './bucket.ts'
import { keyOfId } from './object-id.ts'

const SECONDS = 60
const MAX_ERROR_BYTES = 100_000

/** Opens the content of an object. @throws ItemRefused, SignedOut, SourceBusy, AppError `unavailable` */
export async function openObject(bucket: Bucket, id: string, signal: AbortSignal): Promise<Readable> {
  const key = keyOfId(id)
  if (key === null) throw new ItemRefused('unreadable', 'Its key is not valid UTF-8.')
  // An address cannot hold such a folder: it would name an object elsewhere.
  if (key.split('/').some((part) => part === '.' || part === '..'))
    throw new ItemRefused(
      'unreadable',
      'Its key contains “.” or “..” as a folder, which cannot be requested.',
    )
  const { url, headers } = await signGet(bucket, key)
  const { outbound, config, maxBytes } = bucket.context
  const trusted = config.ATRIUM_TOOLS_PRIVATE
  const answer = await outbound.open(url, { headers, trusted, maxBytes, signal, seconds: SECONDS })
  if (answer.ok) return bodyOf(answer, bucket.host)
  const bytes = await readAtMost(answer, MAX_ERROR_BYTES).catch(() => new Uint8Array())
  return refuse(bucket, answer, new TextDecoder().decode(bytes))
}
