import type { Audit } from '../../../identity/audit/audit.ts'
import { readTrashDays } from '../../../platform/trash/trash.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { requestForgetting } from '../../search/search.ts'
import { jobKey } from '../pipeline/request.ts'
import { folderOf } from './files.ts'
import { deleteDocument, isElsewhere, type Left, lockReadings, takeOutOf } from './remove-store.ts'
import { isEndedDocument, trashDocument } from './trash-store.ts'

/**
 * Moves a document to the trash, or deletes it when the installation has no trash. With a workspace, only removes it from there, unless no
 * other workspace contains it.
 */
export async function removeDocument(
  deps: RunDeps,
  id: string,
  audit: Audit,
  workspaceId?: string,
): Promise<void> {
  const left = await deps.db.transaction().execute(async (trx) => {
    const readings = await lockReadings(trx, id)
    if (workspaceId && (await isElsewhere(trx, workspaceId, id))) {
      await takeOutOf(trx, workspaceId, id)
      return null
    }
    const isKept = (await readTrashDays(trx)) > 0
    if (isKept) await trashDocument(trx, id, deps.clock.now())
    const gone = isKept ? null : await deleteDocument(trx, id, readings)
    await audit(trx, { did: 'document.removed', subject: id })
    return gone
  })
  if (!left) return
  await clearLeft(deps, left)
  await requestForgetting(deps)
}

/** Deletes a document whose time in the trash ended before this time. Does nothing when it was restored. */
export async function purgeDocument(deps: RunDeps, id: string, before: Date): Promise<void> {
  const left = await deps.db.transaction().execute(async (trx) => {
    const readings = await lockReadings(trx, id)
    return (await isEndedDocument(trx, id, before)) ? deleteDocument(trx, id, readings) : null
  })
  if (left) await clearLeft(deps, left)
}

/** Cancels jobs and removes files that the deletion left behind. */
export async function clearLeft(
  { jobs, files }: RunDeps,
  { readings, files: keys, folders }: Left,
): Promise<void> {
  for (const id of readings) await jobs.cancel(jobKey(id))
  for (const { file_key } of keys) await files.remove(file_key)
  for (const { id, names } of folders) for (const name of names) await files.remove(folderOf(id) + name)
}
