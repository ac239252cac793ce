import type pg from 'pg'

/** Makes the queue's own tables where there are none yet; later versions are applied by the runner. */
export async function ensureQueue(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ found: boolean }>(
    "select to_regclass('graphile_worker.migrations') is not null as found",
  )
  if (rows[0]?.found) return
  const { runMigrations } = await import('graphile-worker')
  const { quietLogger } = await import('./quiet-logger.ts')
  await runMigrations({ pgPool: pool, logger: quietLogger() })
}
