import type { Engine } from '../engine.ts'
import { resumeRun } from '../hold.ts'
import { lockSession, type RunRow } from '../store.ts'
import { tellOfRun } from '../tell-of-run.ts'

/**
 * Lets a paused run go on: here, or queued for a process that works. Answers whether this call did it; not when the run
 * goes on already, or somebody else works in its session.
 */
export async function goOn(engine: Engine, { id, session_id, epoch }: RunRow): Promise<boolean> {
  if (engine.works) return (await resumeRun(engine, id, ['paused'])) !== null
  return engine.deps.db.transaction().execute(async (trx) => {
    await lockSession(trx, session_id)
    const { numUpdatedRows } = await trx
      .updateTable('runs')
      .set({ state: 'queued' })
      .where('id', '=', id)
      .where('epoch', '=', epoch)
      .where('state', '=', 'paused')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await trx
      .updateTable('sessions')
      .set({ status: 'GENERATING', agent_status: 'processing' })
      .where('id', '=', session_id)
      .execute()
    await tellOfRun(trx, id)
    return true
  })
}
