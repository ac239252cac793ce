import type { ItemReason } from '#shared/knowledge/connectors/connector-items.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { addItemDocuments, type Stored } from '../../documents/documents.ts'
import { type ConnectorRow, lockOwner } from '../connector-store.ts'
import { CursorExpired, ItemRefused, type OpenedSource } from '../define-connector.ts'
import {
  addCounts,
  lockWaiting,
  noteFailed,
  noteRefused,
  noteStored,
  type WaitingItem,
} from './item-store.ts'
import { holdSync, SyncEnded } from './list-items.ts'

/** Attempts before an item that the source cannot deliver now is listed as refused. */
const MAX_TRIES = 5

/** The part of a sync that reads items. */
export type Reading = {
  deps: RunDeps
  row: ConnectorRow
  source: OpenedSource
  signal: AbortSignal
  isLate: () => boolean
}

/** An item with its bytes; null after a failed attempt. */
export type ReadItem = { item: WaitingItem; stored: Stored | null }
type StoredItem = { item: WaitingItem; stored: Stored }

/**
 * Commits items that were read: their documents, versions and jobs, and counts failed attempts. A batch that is refused is written item by item.
 * @throws SyncEnded also when another process has stored some of them; the others are stored
 */
export async function storeItems(reading: Reading, batch: readonly ReadItem[]): Promise<void> {
  const { deps } = reading
  await deps.jobs.prepare()
  try {
    const { redundant, isShared } = await commit(reading, batch)
    for (const key of redundant) await deps.files.remove(key)
    if (isShared) throw new SyncEnded()
  } catch (error) {
    if (isStoredElsewhere(error)) throw new SyncEnded()
    // After any other error the documents may be stored nevertheless; stray files are swept later.
    if (!(error instanceof AppError)) throw error
    if (batch.length > 1) for (const one of batch) await storeItems(reading, [one])
    else for (const one of batch) await refuseStored(reading, one, error)
  }
}

async function refuseStored(reading: Reading, { item, stored }: ReadItem, error: AppError): Promise<void> {
  if (stored) await reading.deps.files.remove(stored.file_key)
  if (await settleFailure(reading, item, error)) await noteFailed(reading.deps.db, [item.id])
}

async function commit({ deps, row }: Reading, batch: readonly ReadItem[]) {
  const { clock } = deps
  return deps.db.transaction().execute(async (trx) => {
    await lockOwner(trx, row)
    await holdSync(trx, row, null)
    const waiting = await lockWaiting(
      trx,
      batch.map(({ item: { id, version } }) => ({ id, version })),
    )
    const known = batch.filter((one): one is StoredItem => one.stored !== null)
    const taken = known.filter(({ item }) => waiting.has(item.id))
    const owner = { user_id: row.user_id, connector_id: row.id }
    const redundant = await addItemDocuments(deps, trx, owner, taken.map(bytesOf))
    await noteStored(
      trx,
      taken.map(({ item }) => item.id),
      clock.now(),
    )
    await noteFailed(
      trx,
      batch.flatMap(({ item, stored }) => (stored ? [] : [item.id])),
    )
    const added = taken.filter(({ item }) => item.document_id === null).length
    await addCounts(trx, row.id, { added, changed: taken.length - added })
    const lost = known.filter((one) => !taken.includes(one))
    return {
      redundant: [...redundant, ...lost.map(({ stored }) => stored.file_key)],
      isShared: lost.length > 0,
    }
  })
}

function bytesOf({ item: { id, name, path, labels, document_id }, stored }: StoredItem) {
  const folder = path.split('/').slice(0, -1).join('/')
  return {
    ...{ stored, name, document_id, connector_item_id: id },
    path: [folder, ...labels].filter(Boolean).join('/'),
  }
}

const isStoredElsewhere = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'documents_connector_item'

/** Refusals that concern one item only. */
const reasons: Partial<Record<string, ItemReason>> = {
  ...{ too_large: 'too_large', invalid: 'empty', quota_exceeded: 'quota_exceeded', malformed: 'unreadable' },
}

/**
 * Lists an item as refused when the error concerns it alone. Returns whether the attempt counts as failed and the item is read again.
 * @throws the error when it concerns the whole sync
 */
export async function settleFailure(reading: Reading, item: WaitingItem, error: unknown): Promise<boolean> {
  const refuse = async (reason: ItemReason, detail: string | null) => {
    await noteRefusal(reading, item, reason, detail)
    return false
  }
  if (error instanceof ItemRefused) return refuse(error.reason, error.message)
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const code = isLate ? 'unavailable' : error instanceof AppError ? error.code : null
  const detail = error instanceof AppError ? error.detail : null
  const reason = code === null ? undefined : reasons[code]
  if (reason) return refuse(reason, detail)
  const isExpired = error instanceof CursorExpired
  if (code !== 'unavailable' && !isExpired) throw error
  if (item.tries + 1 >= MAX_TRIES) return refuse('unavailable', detail)
  if (!isExpired) return true
  await noteFailed(reading.deps.db, [item.id])
  throw error
}

async function noteRefusal(
  { deps, row }: Reading,
  item: WaitingItem,
  reason: ItemReason,
  detail: string | null,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    await holdSync(trx, row, null)
    if (await noteRefused(trx, item, reason, detail && cleanCharacters(detail)))
      await addCounts(trx, row.id, { refused: 1 })
  })
}
