import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import { stopRun } from '../../runs/runs/runs.ts'
import type { Deps } from '../deps.ts'
import { deleteStandalone, isStandalone } from './store.ts'

/**
 * Deletes what a person executed beside their chats with its whole run, after ending it.
 * @throws AppError `conflict` for what was executed for a reply, `unavailable` when it has not ended in time
 */
export async function deleteExecution(
  { db, engine }: Deps,
  { id, run_id, tool_id }: { id: string; run_id: string; tool_id: string },
  audit: Audit,
): Promise<void> {
  if (!(await isStandalone(db, run_id)))
    throw new AppError('conflict', 'This tool was executed for a reply. It is deleted with its chat.')
  await stopRun(engine, run_id)
  await db.transaction().execute(async (trx) => {
    await deleteStandalone(trx, run_id)
    await audit(trx, { did: 'execution.removed', subject: tool_id, subjectId: id })
  })
}
