import { LIBRARY_COLLECTION as LIBRARY } from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { ModelError } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import { recordAbsorbed } from '../../money/billing/billing.ts'
import { isClassRefusal, sending } from '../../platform/access/classes/classes.ts'
import { type Collection, deleteCollection, listLibrary } from '../collections/collections.ts'
import {
  embedPassages,
  indexReading,
  insertVectors,
  listUnindexed,
  noteWordsOnly,
  PASSAGES_AT_ONCE,
  passagesToEmbed,
  removeWrong,
} from '../search/search.ts'
import {
  deleteVectors,
  findOwner,
  holdRows,
  type LibraryRow,
  listRows,
  noteModelOfReadings,
  noteStandstill,
  setRole,
} from './store.ts'

type Deps = Pick<ModelDeps, 'db' | 'vectors' | 'models' | 'jobs' | 'clock' | 'log' | 'config'>

const BUILD = 'build-embedding-model'
/** Readings embedded concurrently and stored together: each write to the vector store costs the same, whatever its size. */
const READINGS_AT_ONCE = 16
const VECTORS_AT_ONCE = 5_000
const DAY_MS = 86_400_000
/** Longer than any search that may still use a replaced collection. */
const SEARCHED_MS = 60_000

/** Registers the build job and the job that restarts stalled builds and deletes old collections. */
export function registerBuild(deps: Deps): void {
  deps.jobs.register(BUILD, (_, signal) => build(deps, signal))
  deps.jobs.register('tend-embedding-models', () => tendModels(deps), { cron: '* * * * *' })
}

export async function requestBuild({ jobs }: Pick<Deps, 'jobs'>): Promise<void> {
  await jobs.add(BUILD, {}, { key: BUILD })
}

export async function stopBuild({ jobs }: Pick<Deps, 'jobs'>): Promise<void> {
  await jobs.cancel(BUILD)
}

/**
 * Fills the collection that is being built and switches searches to it once it is complete. Resumes from the first missing passage. A
 * failing model is retried within a minute.
 */
async function build(deps: Deps, signal: AbortSignal): Promise<void> {
  const building = (await listLibrary(deps)).find(({ role }) => role === 'building')
  if (!building) return
  try {
    // A collection that was kept for a return may contain passages deleted since.
    await removeWrong(deps, building)
    do await fill(deps, building, signal)
    while (!(await takeOver(deps, building.id)))
    await noteModelOfReadings(deps.db, building.model ?? '')
    deps.log.info({ model: building.model }, 'the library changed its embedding model')
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ModelError || error instanceof AppError)) throw error
    await noteStandstill(deps.db, building.id, error.message)
  }
}

/** Embeds and indexes readings until none is missing. */
async function fill(deps: Deps, building: Collection, signal: AbortSignal): Promise<void> {
  for (;;) {
    const missing = await listUnindexed(deps.db, building.id, READINGS_AT_ONCE)
    if (missing.length === 0) break
    await Promise.all(missing.map((id) => buildReading(deps, building, id, signal)))
  }
  // Builds the graph before the first search needs it.
  await deps.vectors.tend(building.table_name, building.spec, { isQuiet: true })
}

async function buildReading(deps: Deps, building: Collection, readingId: string, signal: AbortSignal) {
  const { id, model } = building
  for (;;) {
    signal.throwIfAborted()
    const passages = await passagesToEmbed(deps.db, readingId, model ?? '', PASSAGES_AT_ONCE)
    if (passages.length === 0) break
    const embedded = await sending({ readingIds: [readingId] }, () =>
      embedPassages(deps, model ?? '', passages, signal),
    ).catch((error) => {
      if (isClassRefusal(error)) return null
      throw error
    })
    if (!embedded) {
      await noteWordsOnly(deps.db, readingId)
      break
    }
    const { vectors, usage } = embedded
    await insertVectors(deps.db, model ?? '', vectors)
    if (usage) await noteCost(deps, { readingId, model: model ?? '', usage })
    await noteStandstill(deps.db, id, null)
  }
  await indexReading(deps, building, readingId, signal)
}

/** Records the cost as absorbed: the administrator who changes the model causes it, so the owner of the documents does not pay. */
async function noteCost(
  { db, models }: Pick<Deps, 'db' | 'models'>,
  { readingId, model, usage }: { readingId: string; model: string; usage: Usage },
): Promise<void> {
  const user_id = await findOwner(db, readingId)
  if (user_id === null) return
  const price = await models.price(model, usage)
  const nowhere = { session_id: null, run_id: null, step_key: null, attempt: 1 }
  await recordAbsorbed(db, { user_id, model_name: model, usage, price, reason: 'documents', ...nowhere })
}

/**
 * Switches searches to the new collection. Every search uses either the old or the new one throughout. Returns false when documents were
 * completed after the last check for missing readings; `holdLive` locks the same rows, so a completion and this switch exclude each other.
 */
async function takeOver({ db, clock }: Deps, id: string): Promise<boolean> {
  const now = clock.now()
  return db.transaction().execute(async (trx) => {
    const rows = await holdRows(trx, LIBRARY)
    const inRole = (role: LibraryRow['role']) => rows.find((one) => one.role === role)
    if (inRole('building')?.id !== id) throw new AppError('conflict', 'It was cancelled.')
    if ((await listUnindexed(trx, id, 1)).length > 0) return false
    const [kept, live] = [inRole('kept'), inRole('live')]
    if (kept) await setRole(trx, kept.id, 'leaving', { now })
    if (live) await setRole(trx, live.id, 'kept', { now, kept_since: now })
    await setRole(trx, id, 'live', { now })
    return true
  })
}

/** Marks expired collections for deletion, deletes those no search can use any more, and restarts a stalled build. */
export async function tendModels(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const row of await listRows(deps.db, LIBRARY)) {
    if (row.role === 'building' && !(await deps.jobs.has(BUILD))) await requestBuild(deps)
    if (row.role === 'kept' && row.kept_since && keptUntil(deps, row.kept_since) < now)
      await setRole(deps.db, row.id, 'leaving', { now })
    if (row.role === 'leaving' && now.getTime() - row.changed_at.getTime() > SEARCHED_MS)
      await remove(deps, row)
  }
}

/** Returns when a collection that has been kept since `since` is deleted. */
export const keptUntil = ({ config }: Pick<Deps, 'config'>, since: Date): Date =>
  new Date(since.getTime() + config.ATRIUM_LIMIT_KEPT_MODEL_DAYS * DAY_MS)

/** Deletes a collection, and the vectors of its model unless another collection uses that model. */
async function remove({ db, vectors }: Deps, { id, model, table_name }: LibraryRow): Promise<void> {
  const removeSome = () =>
    db.transaction().execute(async (trx) => {
      const rows = await holdRows(trx, LIBRARY)
      const isUsed = rows.some((one) => one.role !== 'leaving' && one.model === model)
      return isUsed ? 0 : deleteVectors(trx, model, VECTORS_AT_ONCE)
    })
  while ((await removeSome()) > 0);
  await vectors.drop(table_name)
  await deleteCollection(db, id)
}
