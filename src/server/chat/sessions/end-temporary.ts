import { stopSession } from '../../runs/runs/runs.ts'
import type { Deps } from '../../tools/deps.ts'
import { deleteWhole } from './store.ts'
import { endLease, takeLeftovers } from './temporary-store.ts'

/**
 * Ends a temporary chat: hides it, stops its run and deletes it with its files. Paid amounts stay in the ledger. A killed
 * process leaves it hidden, and the job that looks for ended chats deletes it.
 * @throws AppError when a run cannot be stopped now
 */
export async function endTemporary(
  { db, engine, files }: Pick<Deps, 'db' | 'engine' | 'files'>,
  id: string,
): Promise<void> {
  await db.transaction().execute((trx) => endLease(trx, id))
  await stopSession(engine, id)
  const keys = await db.transaction().execute(async (trx) => {
    const left = await takeLeftovers(trx, id)
    return left ? [...left, ...(await deleteWhole(trx, id))] : []
  })
  await Promise.all(keys.map((key) => files.remove(key).catch(() => undefined)))
}
