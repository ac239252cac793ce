import type { Kysely } from 'kysely'
import { DEFAULT_PIPELINE } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { takeStorage } from '../../../money/storage/storage.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { requestAll } from '../pipeline/request.ts'
import { addWithin, plainName, type Stored, tagsOf } from './add.ts'
import { findReadings, insertItemDocuments, keepBlobs } from './add-many-store.ts'
import { copyInner } from './add-store.ts'

/** Stored bytes of an item of a connector. `document_id` is the document that already shows it. */
export type ItemBytes = {
  stored: Stored
  name: string
  path: string
  connector_item_id: string
  document_id: string | null
}

type Owner = { user_id: string; connector_id: string }

/**
 * Creates documents of items in a transaction, or newer versions of them, and requests their processing. Returns the keys of redundant bytes, to be
 * removed after the commit. Call `jobs.prepare` before the transaction. @throws AppError `quota_exceeded`
 */
export async function addItemDocuments(
  deps: RunDeps,
  trx: Kysely<Tables>,
  owner: Owner,
  items: readonly ItemBytes[],
): Promise<string[]> {
  const bytes = items.reduce((sum, { stored }) => sum + stored.size, 0)
  await takeStorage({ ...deps, db: trx }, owner.user_id, bytes)
  const redundant = await addNew(
    deps,
    trx,
    owner,
    items.filter(({ document_id }) => document_id === null),
  )
  for (const { document_id, stored, name, path } of items) {
    if (document_id === null) continue
    const { isNew } = await addWithin(deps, trx, owner.user_id, stored, { name, path, document_id })
    if (!isNew) redundant.push(stored.file_key)
  }
  return redundant
}

async function addNew(
  deps: RunDeps,
  trx: Kysely<Tables>,
  { user_id, connector_id }: Owner,
  items: readonly ItemBytes[],
): Promise<string[]> {
  if (items.length === 0) return []
  const files = items.map(({ stored: { sha256, size, file_key } }) => ({ sha256, size, file_key }))
  const blobs = await keepBlobs(trx, user_id, files)
  const blobOf = ({ stored }: ItemBytes) => blobs.get(stored.sha256)!
  const named = items.map((item) => ({ blob_id: blobOf(item).id, name: plainName(item.name) }))
  const readings = await findReadings(trx, { user_id, pipeline: DEFAULT_PIPELINE }, named)
  const readingOf = (item: ItemBytes) => readings.get(blobOf(item).id)!
  const documents = items.map((item) => {
    const name = plainName(item.name)
    return {
      ...{ connector_item_id: item.connector_item_id, reading_id: readingOf(item).id, name },
      ...{ extension: extensionOf(name), size: item.stored.size, tags: tagsOf(item.path) },
    }
  })
  const ids = await insertItemDocuments(trx, { user_id, connector_id }, documents)
  // An earlier reading already found the inner files.
  for (const item of items) {
    const reading = readingOf(item)
    if (!reading.begins) await copyInner(trx, reading.id, ids.get(item.connector_item_id)!)
  }
  const begun = [...readings.values()].filter(({ begins }) => begins)
  await requestAll(deps, user_id, begun, trx)
  return items
    .filter((item) => blobOf(item).file_key !== item.stored.file_key)
    .map((item) => item.stored.file_key)
}
