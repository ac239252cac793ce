import { sending } from '../../../platform/access/classes/classes.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { readLibraryModel } from '../../collections/collections.ts'
import { requestProcessing } from './request.ts'
import { endWordsOnly, restart, takeWordsOnly } from './store.ts'

const MAX_PER_RUN = 1_000

/**
 * Embeds documents that the embedding model may receive now, after their class or the list of the provider changed. Those that are still
 * refused go behind the others.
 */
export async function embedAllowed(deps: RunDeps, most = MAX_PER_RUN): Promise<void> {
  const waiting = await takeWordsOnly(deps.db, most, deps.clock.now())
  if (waiting.length === 0) return
  const model = await readLibraryModel(deps)
  await deps.jobs.prepare()
  for (const { id, user_id } of waiting) {
    if (!(await sending({ readingIds: [id] }, () => deps.models.mayReceive(model)))) continue
    await deps.db.transaction().execute(async (trx) => {
      await endWordsOnly(trx, id)
      const attempt = await restart(trx, id, 'failed')
      if (attempt) await requestProcessing(deps, { ...attempt, user_id }, trx)
    })
  }
}
