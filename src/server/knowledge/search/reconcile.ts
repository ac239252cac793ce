import type { Platform } from '../../platform/platform.ts'
import { MissingTable, type VectorTable } from '../../platform/vectors/vectors.ts'
import { type Collection, listLibrary, noteReconciled, noteWrite } from '../collections/collections.ts'
import { indexReading } from './index-reading.ts'
import { countIndexed, listForgotten, listUnindexed, noteForgotten } from './index-store.ts'

type Deps = Pick<Platform, 'db' | 'vectors' | 'config' | 'log' | 'clock'>

export type Tally = { documents: number; passages: number }

/** Passages removed from and restored to the vector store. */
export type Reconciled = { removed: Tally; restored: Tally }

const AT_ONCE = 200

/**
 * Reconciles the vector store with the database: removes passages that no document shows and indexes missing ones. Recreates a lost table.
 * Records the result with the collection.
 */
export async function reconcile(deps: Deps, signal?: AbortSignal): Promise<Reconciled> {
  let done: Reconciled = { removed: none, restored: none }
  for (const collection of await listLibrary(deps)) {
    const removed = await removeWrong(deps, collection)
    // Other collections are incomplete until they are built.
    if (collection.role !== 'live') continue
    const restored = await restore(deps, collection, signal)
    done = { removed, restored }
    const isMended = removed.documents + restored.documents > 0
    if (isMended) deps.log.info(done, 'the vector store was reconciled with the database')
    await noteReconciled(deps.db, collection.id, isMended ? done : null, deps.clock.now())
  }
  return done
}

/**
 * Compares a collection with its recorded readings: removes passages that no document shows, and marks readings with missing passages for
 * indexing.
 */
export async function removeWrong(deps: Omit<Deps, 'clock' | 'config'>, library: Collection): Promise<Tally> {
  const { db, vectors } = deps
  const table = vectors.table(library.table_name, library.spec)
  const held = await countHeld(deps, library, table)
  // Read after `held`: a reading is recorded before its first passage is stored.
  const noted = await countIndexed(db, library.id)
  const isWrong = ([id, chunks]: [string, number]) => chunks >= 0 && (held.get(id) ?? 0) !== chunks
  const wrong = [...noted].filter(isWrong).map(([id]) => id)
  const strange = [...held.keys()].filter((id) => !noted.has(id))
  for (const ids of inParts(wrong)) await noteForgotten(db, library.id, ids)
  const removed = sum(await removeReadings(table, strange), await forget(deps, library))
  if (removed.documents > 0) await noteWrite(db, library.id)
  return removed
}

/** Removes the passages of readings that no document shows any more. */
export async function forget(
  { db, vectors }: Pick<Deps, 'db' | 'vectors'>,
  { id: collectionId, table_name, spec }: Collection,
): Promise<Tally> {
  const table = vectors.table(table_name, spec)
  let removed = none
  for (;;) {
    const ids = await listForgotten(db, collectionId, AT_ONCE)
    if (ids.length === 0) return removed
    removed = sum(removed, await removeReadings(table, ids))
    await noteForgotten(db, collectionId, ids)
  }
}

const none: Tally = { documents: 0, passages: 0 }

const sum = (a: Tally, b: Tally): Tally => ({
  documents: a.documents + b.documents,
  passages: a.passages + b.passages,
})

async function removeReadings(table: VectorTable, ids: readonly string[]): Promise<Tally> {
  let passages = 0
  for (const part of inParts(ids)) passages += await table.remove({ column: 'reading_id', in: part })
  return { documents: ids.length, passages }
}

function inParts(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )
}

/** Indexes the readings that the store lacks. */
async function restore(deps: Deps, library: Collection, signal?: AbortSignal): Promise<Tally> {
  let restored = none
  for (;;) {
    const missing = await listUnindexed(deps.db, library.id, AT_ONCE)
    if (missing.length === 0) return restored
    for (const id of missing) {
      signal?.throwIfAborted()
      restored = sum(restored, { documents: 1, passages: await indexReading(deps, library, id, signal) })
    }
  }
}

/** Counts the stored passages by reading; recreates a lost table. */
async function countHeld(
  { vectors, log }: Pick<Deps, 'vectors' | 'log'>,
  { table_name, spec }: Collection,
  table: VectorTable,
): Promise<Map<string, number>> {
  try {
    return await table.countByReading()
  } catch (error) {
    if (!(error instanceof MissingTable)) throw error
    log.warn('the vector store lost the library: indexing it again')
    await vectors.create(table_name, spec)
    return new Map()
  }
}
