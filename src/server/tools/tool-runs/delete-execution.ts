import { AppError } from '#shared/platform/errors.ts'
import type { Audit } from '../../identity/audit/audit.ts'
import { stopRun } from '../../runs/runs/runs.ts'
import type { Deps } from '../deps.ts'
import { deleteStandalone, isStandalone } from './store.ts'

/**
 * Ends an execution outside chats and deletes it with its whole run.
 * @throws AppError `conflict` for an execution of a reply, `unavailable` if it does not end in time
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
