import { LIBRARY_COLLECTION } from '#shared/knowledge/search/search.ts'
import type { Platform } from '../../platform/platform.ts'
import { MissingTable } from '../../platform/vectors/vectors.ts'
import { listLibrary, listTables } from '../collections/collections.ts'
import { forget, reconcile } from './reconcile.ts'

/** Time without writes after which a collection is indexed completely. */
const QUIET_MS = 10_000

const FORGET = 'forget-passages'
const RECONCILE = 'reconcile-passages'

/** Registers the maintenance jobs of the vector store. */
export function registerUpkeep(deps: Platform): void {
  deps.jobs.register(FORGET, () => forgetPassages(deps))
  deps.jobs.register(RECONCILE, async (_, signal) => void (await reconcile(deps, signal)), {
    cron: '17 * * * *',
  })
  deps.jobs.register('tend-collections', () => tendCollections(deps), { cron: '* * * * *' })
}

/** Requests the removal of passages that no document shows. Searches do not return them meanwhile. */
export async function requestForgetting({ jobs }: Pick<Platform, 'jobs'>): Promise<void> {
  await jobs.add(FORGET, {}, { key: FORGET })
}

/** Removes passages that no document shows, immediately. */
export async function forgetPassages(deps: Pick<Platform, 'db' | 'vectors'>): Promise<void> {
  for (const collection of await listLibrary(deps)) await forget(deps, collection)
}

/**
 * Folds new rows into the indexes, which finds phrases and keeps searches fast. A library without its table, as after a restore, is indexed
 * again.
 */
export async function tendCollections({ db, vectors, clock, jobs }: Platform): Promise<void> {
  for (const { name, table_name, spec, changed_at } of await listTables(db)) {
    const isQuiet = clock.now().getTime() - changed_at.getTime() > QUIET_MS
    try {
      await vectors.tend(table_name, spec, { isQuiet })
    } catch (error) {
      if (!(error instanceof MissingTable)) throw error
      if (name === LIBRARY_COLLECTION) await jobs.add(RECONCILE, {}, { key: RECONCILE })
    }
  }
}
