import { listEndedDocuments, purgeDocument } from '../../knowledge/documents/documents.ts'
import { requestForgetting } from '../../knowledge/search/search.ts'
import { readTrashDays, trashLimit } from '../../platform/trash/trash.ts'
import type { Deps } from '../../tools/deps.ts'
import { chatLimits, listEndedSessions, purgeChat } from '../sessions/sessions.ts'

const PURGE = 'purge-trash'
const ITEMS_PER_STEP = 50

/** Registers the job that deletes what has been in the trash long enough, every hour. */
export function registerPurge(deps: Deps): void {
  deps.jobs.register(PURGE, (_, signal) => purgeTrash(deps, signal), { cron: '7 * * * *', places: 1 })
}

/** Deletes what a person removed from the trash without waiting for the hour. */
export async function requestPurge({ jobs }: Pick<Deps, 'jobs'>): Promise<void> {
  await jobs.add(PURGE, {}, { key: PURGE })
}

/** Deletes chats and documents one by one, each in its own commit, so that a killed job resumes. */
export async function purgeTrash(deps: Deps, signal: AbortSignal): Promise<void> {
  const limits = await chatLimits(deps)
  await inSteps(
    signal,
    () => listEndedSessions(deps.db, limits, ITEMS_PER_STEP),
    (id) => purgeChat(deps, id, limits),
  )
  const before = trashLimit(deps.clock.now(), await readTrashDays(deps.db))
  const wasAny = await inSteps(
    signal,
    () => listEndedDocuments(deps.db, before, ITEMS_PER_STEP),
    (id) => purgeDocument(deps, id, before),
  )
  if (wasAny) await requestForgetting(deps)
}

/** Returns whether there was anything to delete. */
async function inSteps(
  signal: AbortSignal,
  list: () => Promise<string[]>,
  purge: (id: string) => Promise<void>,
): Promise<boolean> {
  for (let wasAny = false; ; wasAny = true) {
    const ids = await list()
    if (ids.length === 0) return wasAny
    for (const id of ids) {
      signal.throwIfAborted()
      await purge(id)
    }
  }
}
