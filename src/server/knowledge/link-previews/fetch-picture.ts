import { PREVIEW_SECONDS } from '#shared/knowledge/link-previews/link-previews.ts'
import type { Platform } from '../../platform/platform.ts'
import type { KeptPicture } from './store.ts'

/** Maximum bytes of a picture. */
const PICTURE_BYTES = 1024 * 1024

/** Signatures of accepted pictures, checked instead of the content type. SVG is not accepted because it may contain scripts. */
const signatures: [mediaType: string, at: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/x-icon', 0, '\0\0\x01\0'],
]

/** Fetches a picture within 5 s. Anything that is unreadable, too large or no picture is stored as null. */
export async function fetchPicture(
  { config, outbound }: Pick<Platform, 'config' | 'outbound'>,
  url: string,
): Promise<KeptPicture> {
  const terms = { maxBytes: PICTURE_BYTES, seconds: PREVIEW_SECONDS, trusted: config.ATRIUM_WEB_PRIVATE }
  const answer = await outbound.fetch(url, { headers: { accept: 'image/*' }, ...terms }).catch(() => null)
  if (!answer?.ok) return { media_type: null, content: null }
  const content = Buffer.from(answer.bytes)
  const head = content.toString('latin1', 0, 16)
  const known = signatures.find(([, at, bytes]) => head.startsWith(bytes, at))
  return known ? { media_type: known[0], content } : { media_type: null, content: null }
}
