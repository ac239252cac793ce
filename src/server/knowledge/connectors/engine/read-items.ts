import { once } from 'node:events'
import { addAbortSignal } from 'node:stream'
import { AppError } from '#shared/platform/errors.ts'
import { assertStorage } from '../../../money/storage/storage.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import {
  clearLeft,
  deleteDocument,
  lockReadings,
  type Stored,
  writeBytes,
} from '../../documents/documents.ts'
import type { ConnectorRow } from '../connector-store.ts'
import { ItemRefused, type OpenedSource } from '../define-connector.ts'
import { collectBatches } from './collect-batches.ts'
import { takeTurn } from './host-turns.ts'
import {
  addCounts,
  deleteItem,
  hideHeld,
  listGone,
  listWaiting,
  lockEnded,
  type WaitingItem,
} from './item-store.ts'
import { holdSync, SyncEnded } from './list-items.ts'
import { type ReadItem, type Reading, settleFailure, storeItems } from './store-items.ts'

/** Items that are deleted between two looks at the clock. */
const BATCH = 40
/** Waiting items that are listed with one query. */
const LISTED = 400
/** Items of one commit. A kill loses at most twice as many reads. */
const MAX_COMMITTED = 50
/** Time for which an answer about the quota counts. Each commit checks it again. */
const QUOTA_MS = 1000
/** Items of one connector that are read concurrently. */
const CONCURRENT = 4
/** Timeout of one item. */
const ITEM_MS = 120_000

/** Deletes the documents of items that are gone, and hides those under a legal hold. */
export async function removeGone({ deps, row, signal, isLate }: Reading): Promise<void> {
  await hideHeld(deps.db, row.id, row.listing_number, deps.clock.now())
  for (;;) {
    const gone = await listGone(deps.db, row.id, row.listing_number, BATCH)
    for (const item of gone) {
      signal.throwIfAborted()
      await removeItem(deps, item, { row })
    }
    if (gone.length < BATCH) return
    if (isLate()) throw new SyncEnded()
  }
}

/**
 * Deletes an item with its document. `row` is a connector whose sync must still be under way, and counts it. With `before`, the removal of the
 * item must have been confirmed earlier.
 */
export async function removeItem(
  deps: RunDeps,
  { id, document_id }: { id: string; document_id: string | null },
  { row, before }: { row?: ConnectorRow; before?: Date } = {},
): Promise<void> {
  const left = await deps.db.transaction().execute(async (trx) => {
    if (row) await holdSync(trx, row, null)
    if (before && !(await lockEnded(trx, id, before))) return null
    const gone =
      document_id === null
        ? null
        : await deleteDocument(trx, document_id, await lockReadings(trx, document_id))
    const isDeleted = await deleteItem(trx, id)
    if (row && isDeleted && document_id !== null) await addCounts(trx, row.id, { removed: 1 })
    return gone
  })
  if (left) await clearLeft(deps, left)
}

/** Reads waiting items, several at a time, until none is left. Items that were read share commits. */
export async function readItems(reading: Reading): Promise<void> {
  const assertRoom = checkRoom(reading)
  for (;;) {
    reading.signal.throwIfAborted()
    const waiting = await listWaiting(reading.deps.db, reading.row.id, LISTED)
    if (waiting.length === 0) return
    const batches = collectBatches<ReadItem>((batch) => storeItems(reading, batch), MAX_COMMITTED)
    let failure: unknown
    const worker = async () => {
      while (failure === undefined && !reading.isLate()) {
        const item = waiting.shift()
        if (!item) return
        const read = async () => {
          const stored = await readItem(reading, item, assertRoom)
          if (stored) await batches.add(stored)
        }
        await read().catch((error) => {
          failure ??= error
        })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, worker))
    await batches.end()
    if (failure !== undefined) throw failure
    if (reading.isLate()) throw new SyncEnded()
  }
}

/** Returns a function that throws while the quota of the owner is used up. It asks at most once a second. */
function checkRoom({ deps, row }: Reading): () => Promise<void> {
  let [asked, answer] = [Number.NEGATIVE_INFINITY, Promise.resolve()]
  return () => {
    if (performance.now() - asked < QUOTA_MS) return answer
    asked = performance.now()
    answer = assertStorage(deps, row.user_id)
    return answer
  }
}

/** Returns an item with its bytes, or with a failed attempt; null when it was refused. */
async function readItem(
  reading: Reading,
  item: WaitingItem,
  assertRoom: () => Promise<void>,
): Promise<ReadItem | null> {
  const { row, signal } = reading
  const { foreign_id: id, path } = item
  try {
    return { item, stored: await takeTurn(row.host, () => storeContent(reading, { id, path }, assertRoom)) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return (await settleFailure(reading, item, error)) ? { item, stored: null } : null
  }
}

/**
 * Stores the content of an item. After the timeout, and after a failure to store it, the content is closed: a source that ignores the signal
 * would otherwise keep its place in the queue of the host. @throws AppError, ItemRefused, CursorExpired, DOMException `TimeoutError`
 */
async function storeContent(
  { deps, row, source, signal }: Reading,
  item: { id: string; path: string },
  assertRoom: () => Promise<void>,
): Promise<Stored> {
  // The timeout starts when the request does, not while it waits for the host.
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ITEM_MS)])
  const opening = openItem(source, item, limit)
  try {
    const content = addAbortSignal(limit, await endWith(limit, opening))
    await assertRoom()
    return await writeBytes(deps, row.user_id, content)
  } catch (error) {
    throw limit.aborted ? limit.reason : error
  } finally {
    opening.then(
      (content) => content.destroy(),
      () => undefined,
    )
  }
}

/** Returns the result of work that may ignore an abort. @throws the reason of the abort */
async function endWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => Promise.reject(signal.reason))
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    ended.abort()
    aborted.catch(() => undefined)
  }
}

/** Opens an item. An address that may not be requested, such as a private one, is a refusal of this item. */
async function openItem(source: OpenedSource, item: { id: string; path: string }, signal: AbortSignal) {
  try {
    return await source.read(item, signal)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') throw new ItemRefused('refused', error.detail)
    throw error
  }
}
