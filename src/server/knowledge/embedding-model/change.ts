import { LIBRARY_COLLECTION as LIBRARY } from '#shared/knowledge/search/search.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Audit, changed } from '../../identity/audit/audit.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { ModelError } from '../../models/models/models.ts'
import { addToLibrary, findLibrary } from '../collections/collections.ts'
import { requestBuild, stopBuild } from './build.ts'
import { deleteOtherLengths, deleteVectors, holdRows, setRole } from './store.ts'

type Deps = Pick<ModelDeps, 'db' | 'vectors' | 'models' | 'jobs' | 'clock'>

/** A local model may have to load first. */
const PATIENCE_MS = 90_000
const VECTORS_AT_ONCE = 5_000
const TRIAL = 'The rent is due on the first of the month.'

/**
 * Starts the change of the library to another embedding model, after the model has embedded a test sentence. A kept collection of that
 * model is updated instead of rebuilt. @throws AppError
 */
export async function changeModel(deps: Deps, model: string, audit: Audit): Promise<void> {
  const { db, jobs, clock } = deps
  const dimensions = await tryModel(deps, model)
  await jobs.prepare()
  const live = await findLibrary(deps)
  const record = (trx: Parameters<Audit>[0]) =>
    audit(trx, {
      did: 'embedding_model.changed',
      ...{ subject: model, changes: changed('model', live?.model ?? null, model) },
    })
  const add = (role: 'live' | 'building') =>
    db.transaction().execute(async (trx) => {
      const made = await addToLibrary({ ...deps, db: trx }, role, model, dimensions)
      if (made) await record(trx)
      return made
    })
  // An empty library has nothing to rebuild.
  if (!live && (await add('live'))) return
  const isKept = await db.transaction().execute(async (trx) => {
    const rows = await holdRows(trx, LIBRARY)
    if (rows.some(({ role }) => role === 'building'))
      throw new AppError('conflict', 'A change of the embedding model is under way: cancel it first.')
    if (rows.some((one) => one.role === 'live' && one.model === model))
      throw new AppError('conflict', `The library is searched by ${model} already.`)
    await deleteOtherLengths(trx, model, dimensions)
    const kept = rows.find((one) => one.role === 'kept' && one.model === model)
    if (!kept) return false
    const isSame = kept.dimensions === dimensions
    await setRole(trx, kept.id, isSame ? 'building' : 'leaving', {
      now: clock.now(),
      kept_since: kept.kept_since,
    })
    if (isSame) await record(trx)
    return isSame
  })
  if (!isKept && !(await add('building')))
    throw new AppError('conflict', 'A change of the embedding model is under way: cancel it first.')
  await requestBuild(deps)
}

/** Cancels a change. A kept collection stays kept. @throws AppError */
export async function cancelChange(deps: Deps, audit: Audit): Promise<void> {
  const { db, clock } = deps
  await db.transaction().execute(async (trx) => {
    const building = (await holdRows(trx, LIBRARY)).find(({ role }) => role === 'building')
    if (!building) throw new AppError('conflict', 'No change of the embedding model is under way.')
    const { id, kept_since, model } = building
    await setRole(trx, id, kept_since ? 'kept' : 'leaving', { now: clock.now(), kept_since })
    await audit(trx, { did: 'embedding_model.given_up', subject: model ?? '' })
  })
  await stopBuild(deps)
}

/**
 * Removes what depends on a model before the model is deleted, including its kept collection. @throws AppError `conflict` when documents
 * are searched or embedded with the model
 */
export async function letGoOfModel({ db, clock, config }: LettingGo, model: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const rows = await holdRows(trx, LIBRARY)
    const isFirst = rows.length === 0 && config.ATRIUM_EMBEDDING_MODEL === model
    if (
      isFirst ||
      rows.some((one) => one.model === model && (one.role === 'live' || one.role === 'building'))
    )
      throw new AppError(
        'conflict',
        `Documents are searched or read with ${model}: change the embedding model first.`,
      )
    const kept = rows.find((one) => one.role === 'kept' && one.model === model)
    if (kept) await setRole(trx, kept.id, 'leaving', { now: clock.now() })
  })
  // Another model of the same name must not reuse these vectors.
  while ((await deleteVectors(db, model, VECTORS_AT_ONCE)) > 0);
}

type LettingGo = Pick<ModelDeps, 'db' | 'clock' | 'config'>

/** Embeds a test sentence and returns the dimensions of its vector. @throws AppError `invalid` with the model's error */
async function tryModel({ models }: Deps, model: string): Promise<number> {
  try {
    const embed = (await models.embedders())(model)
    const [vector = []] = await embed([TRIAL], AbortSignal.timeout(PATIENCE_MS))
    if (vector.some((number) => number !== 0)) return vector.length
  } catch (error) {
    if (error instanceof ModelError || error instanceof AppError)
      throw new AppError('invalid', `${model} embedded nothing: ${error.message}`)
    throw error
  }
  throw new AppError('invalid', `${model} embedded nothing: its vector is empty.`)
}
