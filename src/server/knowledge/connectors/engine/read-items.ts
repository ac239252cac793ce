import { once } from 'node:events'
import { addAbortSignal } from 'node:stream'
import type { Kysely } from 'kysely'
import type { ItemReason } from '#shared/knowledge/connectors/connector-items.ts'
import { AppError } from '#shared/platform/errors.ts'
import { cleanCharacters } from '../../../platform/db/db.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import {
  addDocument,
  clearLeft,
  deleteDocument,
  lockReadings,
  type Stored,
  storeBytes,
} from '../../documents/documents.ts'
import { type ConnectorRow, lockOwner } from '../connector-store.ts'
import { CursorExpired, ItemRefused, type OpenedSource } from '../define-connector.ts'
import { takeTurn } from './host-turns.ts'
import {
  addCounts,
  deleteItem,
  hideHeld,
  listGone,
  listWaiting,
  lockEnded,
  noteFailed,
  noteRefused,
  noteStored,
  type WaitingItem,
} from './item-store.ts'
import { holdSync, SyncEnded } from './list-items.ts'

const BATCH = 40
/** Items of one connector that are read concurrently. */
const CONCURRENT = 4
/** Timeout of one item. */
const ITEM_MS = 120_000
/** Attempts before an item that the source cannot deliver now is listed as refused. */
const MAX_TRIES = 5

export type Reading = {
  deps: RunDeps
  row: ConnectorRow
  source: OpenedSource
  signal: AbortSignal
  isLate: () => boolean
}

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

/** Reads waiting items, several at a time, until none is left. */
export async function readItems(reading: Reading): Promise<void> {
  for (;;) {
    reading.signal.throwIfAborted()
    const waiting = await listWaiting(reading.deps.db, reading.row.id, BATCH)
    if (waiting.length === 0) return
    let failure: unknown
    const worker = async () => {
      for (let item = waiting.shift(); item && failure === undefined; item = waiting.shift())
        await readItem(reading, item).catch((error) => {
          failure ??= error
        })
    }
    await Promise.all(Array.from({ length: CONCURRENT }, worker))
    if (failure !== undefined) throw failure
    if (reading.isLate()) throw new SyncEnded()
  }
}

async function readItem({ deps, row, source, signal }: Reading, item: WaitingItem): Promise<void> {
  const { id: connector_item_id, foreign_id, path, name, document_id } = item
  try {
    const stored = await takeTurn(row.host, () =>
      storeContent(deps, row, source, { id: foreign_id, path }, signal),
    )
    const folder = path.split('/').slice(0, -1).join('/')
    const wish = {
      ...{ name, path: [folder, ...item.labels].filter(Boolean).join('/') },
      ...(document_id === null ? { item: { connector_id: row.id, connector_item_id } } : { document_id }),
    }
    const note = async (trx: Kysely<Tables>) => {
      if (!(await noteStored(trx, item, deps.clock.now()))) throw new SyncEnded()
      await addCounts(trx, row.id, document_id === null ? { added: 1 } : { changed: 1 })
    }
    await addDocument(deps, row.user_id, stored, wish, note, async (trx) => {
      await lockOwner(trx, row)
      await holdSync(trx, row, null)
    })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    await settleFailure(deps, row, item, error)
  }
}

/**
 * Stores the content of an item. After the timeout, and after a failure to store it, the content is closed: a source that ignores the signal
 * would otherwise keep its place in the queue of the host. @throws AppError, ItemRefused, CursorExpired, DOMException `TimeoutError`
 */
async function storeContent(
  deps: RunDeps,
  { user_id }: ConnectorRow,
  source: OpenedSource,
  item: { id: string; path: string },
  signal: AbortSignal,
): Promise<Stored> {
  // The timeout starts when the request does, not while it waits for the host.
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ITEM_MS)])
  const opening = openItem(source, item, limit)
  try {
    const content = addAbortSignal(limit, await endWith(limit, opening))
    return await storeBytes(deps, user_id, content)
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

const isStoredElsewhere = (error: unknown) =>
  error instanceof Error && 'constraint' in error && error.constraint === 'documents_connector_item'

/** Refusals that concern one item only. */
const reasons: Partial<Record<string, ItemReason>> = {
  ...{ too_large: 'too_large', invalid: 'empty', quota_exceeded: 'quota_exceeded', malformed: 'unreadable' },
}

async function settleFailure(
  { db }: RunDeps,
  row: ConnectorRow,
  item: WaitingItem,
  error: unknown,
): Promise<void> {
  const refuse = (reason: ItemReason, detail: string | null) =>
    db.transaction().execute(async (trx) => {
      await holdSync(trx, row, null)
      if (await noteRefused(trx, item, reason, detail && cleanCharacters(detail)))
        await addCounts(trx, row.id, { refused: 1 })
    })
  if (error instanceof ItemRefused) return refuse(error.reason, error.message)
  // A process that lost its job still reads: the other one has stored the document.
  if (isStoredElsewhere(error)) throw new SyncEnded()
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  const code = isLate ? 'unavailable' : error instanceof AppError ? error.code : null
  const reason = code === null ? undefined : reasons[code]
  if (reason) return refuse(reason, error instanceof AppError ? error.detail : null)
  const isExpired = error instanceof CursorExpired
  if (code !== 'unavailable' && !isExpired) throw error
  if (item.tries + 1 >= MAX_TRIES)
    return refuse('unavailable', error instanceof AppError ? error.detail : null)
  await noteFailed(db, item.id)
  if (isExpired) throw error
}
