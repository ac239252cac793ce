import type { Audit } from '../../../identity/audit/audit.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { requestForgetting } from '../../search/search.ts'
import { jobKey } from '../pipeline/request.ts'
import { folderOf } from './files.ts'
import { deleteDocument, type Left, lockReadings, takeOutOf } from './remove-store.ts'

/** Deletes a document. With a workspace, only removes it from there, unless no other workspace contains it. */
export async function removeDocument(
  deps: RunDeps,
  id: string,
  audit: Audit,
  workspaceId?: string,
): Promise<void> {
  const left = await deps.db.transaction().execute(async (trx) => {
    const readings = await lockReadings(trx, id)
    if (workspaceId && (await takeOutOf(trx, workspaceId, id))) return null
    const gone = await deleteDocument(trx, id, readings)
    await audit(trx, { did: 'document.removed', subject: id })
    return gone
  })
  if (!left) return
  await clear(deps, left)
  await requestForgetting(deps)
}

/** Cancels jobs and removes files that the deletion left behind. */
async function clear({ jobs, files }: RunDeps, { readings, files: keys, folders }: Left): Promise<void> {
  for (const id of readings) await jobs.cancel(jobKey(id))
  for (const { file_key } of keys) await files.remove(file_key)
  for (const { id, names } of folders) for (const name of names) await files.remove(folderOf(id) + name)
}
