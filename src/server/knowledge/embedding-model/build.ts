import { LIBRARY_COLLECTION as LIBRARY } from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { ModelError } from '../../models/models/models.ts'
import type { Usage } from '../../models/models/port.ts'
import { recordAbsorbed } from '../../money/billing/billing.ts'
import { type Collection, deleteCollection, listLibrary } from '../collections/collections.ts'
import {
  embedPassages,
  indexReading,
  insertVectors,
  listUnindexed,
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
/** Embedded side by side, and stored together: each write to the store costs the same, however much it brings. */
const READINGS_AT_ONCE = 16
const VECTORS_AT_ONCE = 5_000
const DAY_MS = 86_400_000
/** Longer than any search that may have begun before. */
const SEARCHED_MS = 60_000

/** Puts the building, and what looks after it, on the jobs of this process. */
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
 * Makes what the collection that is being built lacks, and has it searched once nothing is missing. What stops half-way goes on with the next
 * passage. A model that fails is asked again within a minute.
 */
async function build(deps: Deps, signal: AbortSignal): Promise<void> {
  const building = (await listLibrary(deps)).find(({ role }) => role === 'building')
  if (!building) return
  try {
    // What was kept for a return may hold what is gone by now.
    await removeWrong(deps, building)
    do await fill(deps, building, signal)
    while (!(await takeOver(deps, building.id)))
    await noteModelOfReadings(deps.db, building.model ?? '')
    deps.log.info({ model: building.model }, 'the library is searched by another embedding model')
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
  // A graph is there from the first search on.
  await deps.vectors.tend(building.table_name, building.spec, { isQuiet: true })
}

async function buildReading(deps: Deps, building: Collection, readingId: string, signal: AbortSignal) {
  const { id, model } = building
  for (;;) {
    signal.throwIfAborted()
    const passages = await passagesToEmbed(deps.db, readingId, model ?? '', PASSAGES_AT_ONCE)
    if (passages.length === 0) break
    const { vectors, usage } = await embedPassages(deps, model ?? '', passages, signal)
    await insertVectors(deps.db, model ?? '', vectors)
    if (usage) await noteCost(deps, { readingId, model: model ?? '', usage })
    await noteStandstill(deps.db, id, null)
  }
  await indexReading(deps, building, readingId, signal)
}

/** An administrator changes the model: nobody pays for it, and what it cost stands beside the documents' other costs. */
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
 * The moment from which searches take the new one: all of a search before it, or all of it. False when documents were completed since
 * it was looked what is missing. What completes one waits for this, or this for it (`holdLive`).
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

/** Deletes what was kept long enough, and has a building that stands still go on. */
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

/** When one that was searched until a moment is deleted. */
export const keptUntil = ({ config }: Pick<Deps, 'config'>, since: Date): Date =>
  new Date(since.getTime() + config.ATRIUM_LIMIT_KEPT_MODEL_DAYS * DAY_MS)

/** The vectors of a model go unless another collection has it. */
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
