import type { Engine } from '../engine.ts'
import { resumeRun } from '../hold.ts'
import { lockSession, type RunRow } from '../store.ts'
import { tellOfRun } from '../watch/watch-store.ts'
import { queuePaused } from './store.ts'

/**
 * Resumes a paused run here, or queues it for a worker. Returns false when the run is no longer paused or
 * its session is busy.
 */
export async function goOn(engine: Engine, { id, session_id, epoch }: RunRow): Promise<boolean> {
  if (engine.works) return (await resumeRun(engine, id, ['paused'])) !== null
  return engine.deps.db.transaction().execute(async (trx) => {
    await lockSession(trx, session_id)
    if (!(await queuePaused(trx, { id, session_id, epoch }))) return false
    await tellOfRun(trx, id)
    return true
  })
}
