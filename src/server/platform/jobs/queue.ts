import type pg from 'pg'
import { loadQueueLibrary } from './queue-library.ts'
import { quietLogger } from './quiet-logger.ts'

/** First number of the two that name the lock of whoever makes the tables; those before belong to other locks. */
const lockClass = 11

/**
 * Makes the queue's own tables where there are none yet, and waits where another process is about it: half of them are of no use.
 * What a later version of the queue needs is added as well.
 */
export async function ensureQueue(pool: pg.Pool): Promise<void> {
  const { runMigrations } = await loadQueueLibrary()
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1, 1)', [lockClass])
    await runMigrations({ pgPool: pool, logger: await quietLogger() })
  } finally {
    await client.query('select pg_advisory_unlock($1, 1)', [lockClass]).catch(() => undefined)
    client.release()
  }
}
