import type pg from 'pg'
import { loadQueueLibrary } from './queue-library.ts'
import { quietLogger } from './quiet-logger.ts'
import { notifyFreeQueues } from './store.ts'

/** First of the two numbers of the lock for creating the tables. Lower numbers belong to other locks. */
const lockClass = 11

/**
 * Creates or upgrades the queue's tables. Waits if another process is doing so, since a partial schema is unusable.
 */
export async function ensureQueue(pool: pg.Pool): Promise<void> {
  const { runMigrations } = await loadQueueLibrary()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1, 1)', [lockClass])
    await runMigrations({ pgPool: pool, logger: await quietLogger() })
    await notifyFreeQueues(client)
  } finally {
    await client.query('select pg_advisory_unlock($1, 1)', [lockClass]).catch(() => undefined)
    client.release()
  }
}
