import type { RunDeps } from '../../runs/run-deps.ts'
import { requestForgetting } from '../search/search.ts'
import { deleteConnector, findConnector, isOwnerInCompany, UNDO_DAYS } from './connector-store.ts'
import { hasItems, listEnded, listItemsOf } from './engine/item-store.ts'
import { removeItem } from './engine/read-items.ts'
import { endRemovals, forgetSyncs, releaseItems, remindOfRemovals } from './removal-store.ts'
import { endWatch } from './watching/keep-watch.ts'

const BATCH = 100
const REMINDER_DAYS = 7
const DAY_MS = 86_400_000
/** Days that finished syncs stay listed. */
const SYNC_DAYS = 90

/** Reminds the people who manage a connector of a question that has waited for 7 days. */
export async function remindOfMissing({ db, clock }: Pick<RunDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await remindOfRemovals(db, new Date(now.getTime() - REMINDER_DAYS * DAY_MS), now)
}

/** Deletes items whose removal can no longer be undone, and notes that it ended. */
export async function purgeRemoved(deps: RunDeps, signal: AbortSignal): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - UNDO_DAYS * DAY_MS)
  let isAny = false
  for (;;) {
    const ended = await listEnded(deps.db, before, BATCH)
    for (const item of ended) {
      signal.throwIfAborted()
      isAny = true
      await removeItem(deps, item, { before })
    }
    if (ended.length < BATCH) break
  }
  await endRemovals(deps.db, before)
  await forgetSyncs(deps.db, new Date(deps.clock.now().getTime() - SYNC_DAYS * DAY_MS))
  if (isAny) await requestForgetting(deps)
}

/**
 * Ends a connector that is being removed: deletes its documents one by one, or leaves them to its owner while they belong to the company.
 * Documents under a legal hold are hidden with their connector, which ends once the hold is lifted.
 */
export async function endConnector(deps: RunDeps, id: string, signal: AbortSignal): Promise<void> {
  const row = await findConnector(deps.db, id)
  if (!row?.removing) return
  const isKept = row.removing === 'keep' && (await isOwnerInCompany(deps.db, row))
  while (isKept && (await releaseItems(deps.db, id, BATCH)) > 0) signal.throwIfAborted()
  for (;;) {
    const rows = await listItemsOf(deps.db, id, { limit: BATCH, removed: isKept })
    for (const item of rows) {
      signal.throwIfAborted()
      await removeItem(deps, item)
    }
    if (rows.length < BATCH) break
  }
  if (await hasItems(deps.db, id)) return
  await endWatch(deps, row)
  await deleteConnector(deps.db, id)
  await requestForgetting(deps)
}
