import type { SourceFolder } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { ItemRefused, type SourceItem } from '../../define-connector.ts'
import { giveTurns } from '../../give-turns.ts'
import { type Element, elementsOf, parseElements, textOf } from '../../source-requests.ts'
import { type Bucket, refuse, signGet } from './bucket.ts'
import { idOfKey, idOfUnreadable } from './object-id.ts'

const PAGE = 1000
const MAX_PAGE_BYTES = 10_000_000
/** A key has at most 1,024 bytes, of which each may be encoded with three characters. */
const MAX_KEY_CHARACTERS = 4096
const MAX_FOLDERS = 500
/** Pages that are read to find the folders of a level, which may also have any number of objects. */
const MAX_FOLDER_PAGES = 20
const SECONDS = 60

/** Returns the prefixes of chosen folders in the order of keys, without those inside of another. */
export function prefixesOf(folders: readonly string[]): string[] {
  if (folders.length === 0 || folders.includes('')) return ['']
  const all = folders.map((folder) => `${folder}/`)
  return all.filter((one) => !all.some((other) => one !== other && one.startsWith(other))).sort(byBytes)
}

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Returns the objects of a prefix behind a key, at most 1,000, and the last key when there are more. */
export async function listObjects(
  bucket: Bucket,
  { prefix, after, limit = PAGE }: { prefix: string; after?: string; limit?: number },
): Promise<{ items: SourceItem[]; last: string | null }> {
  const query = { prefix, 'max-keys': String(limit), ...(after !== undefined && { 'start-after': after }) }
  const answer = await ask(bucket, query)
  const [items, turn] = [[] as SourceItem[], giveTurns()]
  let last: string | null = null
  for (const entry of elementsOf(answer, 'Contents')) {
    const listed = elementsOf(entry, 'Key')[0]?.text ?? ''
    const key = keyOf(answer, listed)
    // A listing continues only behind a key that can be written.
    if (key !== null) last = key
    if (key === null) items.push(itemOf(bucket, listed, entry, idOfUnreadable(listed)))
    else if (key !== '' && !key.endsWith('/')) items.push(itemOf(bucket, key, entry))
    await turn()
  }
  if (textOf(answer, 'IsTruncated') !== 'true') return { items, last: null }
  // A server that repeats itself would be listed forever.
  if (last === null || (after !== undefined && byBytes(last, after) <= 0))
    throw new AppError('unavailable', `${bucket.host} does not continue its list.`)
  return { items, last }
}

/** Returns the common prefixes of a level as folders, by name. */
export async function listFolders(
  bucket: Bucket,
  path: string,
): Promise<{ items: SourceFolder[]; has_more: boolean }> {
  const prefix = path === '' ? '' : `${path}/`
  const items: SourceFolder[] = []
  let token = ''
  for (let pages = 0; pages < MAX_FOLDER_PAGES && items.length < MAX_FOLDERS; pages += 1) {
    const query = { prefix, delimiter: '/', ...(token && { 'continuation-token': token }) }
    const answer = await ask(bucket, query)
    for (const entry of elementsOf(answer, 'CommonPrefixes')) {
      const own = keyOf(answer, elementsOf(entry, 'Prefix')[0]?.text ?? '')?.slice(0, -1) ?? ''
      const name = own.slice(prefix.length)
      if (name !== '') items.push({ path: own, name, has_folders: true })
    }
    token = textOf(answer, 'NextContinuationToken')
    if (textOf(answer, 'IsTruncated') !== 'true' || token === '') break
  }
  return { items: items.slice(0, MAX_FOLDERS), has_more: token !== '' || items.length > MAX_FOLDERS }
}

/** Asks for a list with a query (ListObjectsV2). Keys are URL-encoded, because XML cannot hold all characters. */
async function ask(bucket: Bucket, query: Record<string, string>): Promise<Element> {
  const { context, host, name } = bucket
  const all = { 'encoding-type': 'url', 'list-type': '2', 'max-keys': String(PAGE), ...query }
  const { url, headers } = await signGet(bucket, '', all)
  const answer = await context.outbound.fetch(url, {
    ...{ headers, maxBytes: MAX_PAGE_BYTES, seconds: SECONDS, maxRedirects: 0 },
    ...{ trusted: context.config.ATRIUM_TOOLS_PRIVATE, signal: context.signal },
  })
  // A list that is refused must not look empty: all items would disappear.
  try {
    if (!answer.ok) refuse(bucket, answer, answer.text().slice(0, MAX_ERROR_CHARACTERS))
  } catch (error) {
    if (!(error instanceof ItemRefused)) throw error
    const isMissing = error.reason === 'not_found'
    throw new AppError(
      'not_available',
      isMissing
        ? `${host} has no bucket “${name}”.`
        : `${host} does not let this key list the bucket “${name}”.`,
    )
  }
  const root = await parseElements(answer.text(), host)
  const [list] = root.children
  if (list?.name !== 'ListBucketResult')
    throw new AppError('unavailable', `${host} does not answer as an S3 server.`)
  return list
}

const MAX_ERROR_CHARACTERS = 10_000

/** Returns a listed key; null for one that is no UTF-8, which cannot be requested. */
function keyOf(answer: Element, text: string): string | null {
  if (text.length > MAX_KEY_CHARACTERS)
    throw new AppError('unavailable', 'The list has a key that is longer than S3 allows.')
  if (textOf(answer, 'EncodingType') !== 'url') return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function itemOf(bucket: Bucket, key: string, entry: Element, id = idOfKey(key)): SourceItem {
  const [etag, length] = [textOf(entry, 'ETag'), textOf(entry, 'Size')]
  const changed = textOf(entry, 'LastModified')
  return {
    ...{ id, path: key, name: key.slice(key.lastIndexOf('/') + 1) },
    version: etag ? `${etag} ${length}` : `${changed} ${length}`,
    size: /^\d{1,15}$/.test(length) ? Number(length) : null,
    url: urlOf(bucket, key),
    ...(!Number.isNaN(Date.parse(changed)) && { changed_at: new Date(changed) }),
    ...(etag && { move_key: `${etag} ${length}` }),
  }
}

/** Returns the page of the AWS console for an object; its address elsewhere. */
function urlOf({ isAws, region, name, base }: Bucket, key: string): string {
  if (!isAws) return base.href + key.split('/').map(encodeURIComponent).join('/')
  const query = `region=${region}&prefix=${encodeURIComponent(key)}`
  return `https://${region}.console.aws.amazon.com/s3/object/${name}?${query}`
}
