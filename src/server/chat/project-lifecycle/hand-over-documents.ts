import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import { addDocument, storeBytes } from '../../knowledge/documents/documents.ts'
import { copyClass } from '../../platform/access/classes/classes.ts'
import { isHeld } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Deps } from '../../tools/deps.ts'
import { findHanded, trashHanded } from './content-store.ts'

const JOB = 'hand-over-documents'

/** Registers the job that gives the documents of a deleted project to a member. */
export function registerHandedDocuments(deps: Deps): void {
  deps.jobs.register(
    JOB,
    async ({ ids, to }, signal) => {
      for (const id of ids as string[]) {
        signal.throwIfAborted()
        await handOver(deps, id, String(to))
      }
    },
    { places: 1 },
  )
}

/** Adds the job in the transaction that deletes the project. Call `jobs.prepare` before it. */
export const requestHandedDocuments = (
  { jobs }: Pick<Deps, 'jobs'>,
  within: Kysely<Tables>,
  { projectId, ids, to }: { projectId: string; ids: string[]; to: string },
) => jobs.add(JOB, { ids, to }, { key: `${JOB}:${projectId}`, within })

/**
 * Stores the bytes as a document of the member and moves the original to the trash of its owner, in one commit, so that a
 * repeated job gives none twice. A document without room in the storage, or under a legal hold, stays
 * with its owner.
 */
async function handOver(deps: Deps, id: string, to: string): Promise<void> {
  const document = await findHanded(deps.db, id)
  if (!document || document.user_id === to) return
  const { name, pipeline, file_key, source_url } = document
  try {
    const stored = await storeBytes(deps, to, await deps.files.read(file_key))
    const wish = { name, processing_pipeline: pipeline, ...(source_url && { source_url }) }
    await addDocument(deps, to, stored, wish, async (trx, copyId) => {
      await copyClass(trx, { from: id, to: copyId })
      if (!(await trashHanded(trx, id, deps.clock.now()))) throw new AppError('conflict', 'It is gone.')
    })
  } catch (error) {
    if (!(error instanceof AppError || isHeld(error))) throw error
    deps.log.warn({ error, document: id }, 'A document of a deleted project stays with its owner.')
  }
}
