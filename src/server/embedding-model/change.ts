import { AppError } from '#shared/errors.ts'
import { LIBRARY_COLLECTION as LIBRARY } from '#shared/search/search.ts'
import { addToLibrary, findLibrary } from '../collections/collections.ts'
import { ModelError } from '../models/models.ts'
import type { Platform } from '../platform.ts'
import { requestBuild, stopBuild } from './build.ts'
import { deleteOtherLengths, holdRows, setRole } from './store.ts'

type Deps = Pick<Platform, 'db' | 'vectors' | 'models' | 'jobs' | 'clock'>

/** A model on this machine may have to be loaded first. */
const PATIENCE_MS = 90_000
const TRIAL = 'The rent is due on the first of the month.'

/**
 * Has the library go over to another embedding model, once that has embedded a sentence. The one before it, where it is still kept, is only
 * brought up to date. @throws AppError
 */
export async function changeModel(deps: Deps, model: string): Promise<void> {
  const { db, jobs, clock } = deps
  const dimensions = await tryModel(deps, model)
  await jobs.prepare()
  const live = await findLibrary(deps)
  // Nothing was read yet: there is nothing to build.
  if (!live && (await addToLibrary(deps, 'live', model, dimensions))) return
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
    return isSame
  })
  if (!isKept && !(await addToLibrary(deps, 'building', model, dimensions)))
    throw new AppError('conflict', 'A change of the embedding model is under way: cancel it first.')
  await requestBuild(deps)
}

/** Gives a change up. What was kept for a return stays kept. @throws AppError */
export async function cancelChange(deps: Deps): Promise<void> {
  const { db, clock } = deps
  await db.transaction().execute(async (trx) => {
    const building = (await holdRows(trx, LIBRARY)).find(({ role }) => role === 'building')
    if (!building) throw new AppError('conflict', 'No change of the embedding model is under way.')
    const { id, kept_since } = building
    await setRole(trx, id, kept_since ? 'kept' : 'leaving', { now: clock.now(), kept_since })
  })
  await stopBuild(deps)
}

/** The length of its vectors. @throws AppError `invalid` with what it said instead */
async function tryModel({ models }: Deps, model: string): Promise<number> {
  try {
    const [vector = []] = await models.embed(model, [TRIAL], AbortSignal.timeout(PATIENCE_MS))
    if (vector.some((number) => number !== 0)) return vector.length
  } catch (error) {
    if (error instanceof ModelError || error instanceof AppError)
      throw new AppError('invalid', `${model} embedded nothing: ${error.message}`)
    throw error
  }
  throw new AppError('invalid', `${model} embedded nothing: its vector is empty.`)
}
