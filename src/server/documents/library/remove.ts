import type { Deps } from '../../deps.ts'
import { requestForgetting } from '../../search/search.ts'
import { jobKey } from '../pipeline/request.ts'
import { folderOf } from './files.ts'
import { deleteDocument, type Left, takeOutOf } from './remove-store.ts'

/** Deletes a document; with a workspace only out of it, and wholly when it is in no other. */
export async function removeDocument(deps: Deps, id: string, workspaceId?: string): Promise<void> {
  const left = await again(() =>
    deps.db.transaction().execute(async (trx) => {
      if (workspaceId && (await takeOutOf(trx, workspaceId, id))) return null
      return deleteDocument(trx, id)
    }),
  )
  if (!left) return
  await clear(deps, left)
  await requestForgetting(deps)
}

/** Others work on the same documents meanwhile: what one of them got in the way of is tried anew. */
async function again<Done>(act: () => Promise<Done>): Promise<Done> {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      // A class of its own each: a foreign key, a lost race, a deadlock.
      const isLost =
        error instanceof Error && 'code' in error && /^(23503|40001|40P01)$/.test(String(error.code))
      if (!isLost || tries === 5) throw error
    }
  }
}

/** What the database let go of: work under way, and files. */
async function clear({ jobs, files }: Deps, { readings, files: keys, folders }: Left): Promise<void> {
  for (const id of readings) await jobs.cancel(jobKey(id))
  for (const key of keys) await files.remove(key)
  for (const { id, names } of folders) for (const name of names) await files.remove(folderOf(id) + name)
}
