import { defineConnector, type OpenedSource } from '../../define-connector.ts'
import { isSelected } from '../../selected.ts'
import { type Bucket, bucketOf, hostOfBucket } from './bucket.ts'
import { listFolders, listObjects, prefixesOf } from './list-objects.ts'
import { openObject } from './open-object.ts'

/** Objects of a bucket of AWS S3 or a compatible store such as MinIO, Ceph or R2. */
export default defineConnector({
  id: 's3',
  place: 9,
  fields: [
    { name: 'bucket', type: 'text', required: true },
    { name: 'region', type: 'text', required: false },
    { name: 'address', type: 'address', required: false },
    { name: 'access_key', type: 'text', required: false },
    { name: 'secret_key', type: 'secret', required: false },
  ],
  mirrorsRights: false,
  personal: true,
  hasFolders: true,
  isOffered: () => true,
  hostOf: hostOfBucket,
  open: async (context): Promise<OpenedSource> => {
    const bucket = bucketOf(context)
    return {
      check: async () => void (await listObjects(bucket, { prefix: '', limit: 1 })),
      folders: (path) => listFolders(bucket, path),
      list: (selection, cursor) => listPages(bucket, selection, cursor),
      read: ({ id }, signal) => openObject(bucket, id, signal),
    }
  },
})

/**
 * Lists the selected prefixes in pages. The cursor is the last key, behind which every server continues at any time; a continuation token
 * would expire.
 */
async function* listPages(
  bucket: Bucket,
  selection: Parameters<OpenedSource['list']>[0],
  cursor: string | null,
): ReturnType<OpenedSource['list']> {
  const prefixes = prefixesOf(selection.folders)
  const [first = prefixes[0], ...after] = cursor === null ? [] : (JSON.parse(cursor) as string[])
  let last = after[0]
  const start = Math.max(prefixes.indexOf(first ?? ''), 0)
  for (const [at, prefix] of prefixes.entries()) {
    if (at < start) continue
    for (let isWhole = false; !isWhole; ) {
      const page = await listObjects(bucket, { prefix, ...(last !== undefined && { after: last }) })
      isWhole = page.last === null
      last = page.last ?? undefined
      const next = isWhole ? prefixes.slice(at + 1, at + 2) : [prefix, last]
      const items = page.items.filter(({ path }) => isSelected(selection, path))
      yield { items, cursor: next.length > 0 ? JSON.stringify(next) : null }
    }
  }
}
