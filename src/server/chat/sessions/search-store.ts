import { type Kysely, sql } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Database } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** Concurrent searches per process; each occupies a database core. */
const AT_ONCE = 2
/** Maximum queued searches per user. */
const WAITING = 8
/** Statement timeout of a search, in milliseconds. */
const PATIENCE_MS = 4_000

/** A search slower than this is followed by a pause proportional to the excess. */
const QUICK_MS = 250
const REST = 3

let running = 0
/** Users with a running search or a pause. */
const searching = new Set<string>()
const waiting: { userId: string; start: () => void }[] = []

/**
 * Runs a search in the user's turn: one per user at a time, other waiting users first, and a pause after a slow one.
 * @throws AppError `search_too_long`, `rate_limited`
 */
export async function searchFairly<Found>(
  db: Database,
  userId: string,
  search: (trx: Kysely<Tables>) => Promise<Found>,
): Promise<Found> {
  await takeTurn(userId)
  const started = performance.now()
  try {
    return await db.transaction().execute(async (trx) => {
      // Parallel workers would take cores from other users.
      await sql`set local max_parallel_workers_per_gather = 0`.execute(trx)
      await sql`set local statement_timeout = ${sql.lit(PATIENCE_MS)}`.execute(trx)
      return search(trx)
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '57014') throw error
    throw new AppError('search_too_long', 'This search takes too long. Narrow it with other words.')
  } finally {
    running -= 1
    const rest = Math.max(0, performance.now() - started - QUICK_MS) * REST
    setTimeout(() => {
      searching.delete(userId)
      startNext()
    }, rest).unref()
    startNext()
  }
}

async function takeTurn(userId: string): Promise<void> {
  if (waiting.filter((one) => one.userId === userId).length >= WAITING) {
    throw new AppError('rate_limited', 'Too many searches at once. Wait for one to finish.')
  }
  await new Promise<void>((start) => {
    waiting.push({ userId, start })
    startNext()
  })
}

function startNext(): void {
  const at = running < AT_ONCE ? waiting.findIndex(({ userId }) => !searching.has(userId)) : -1
  const [next] = at < 0 ? [] : waiting.splice(at, 1)
  if (!next) return
  running += 1
  searching.add(next.userId)
  next.start()
}
