import { ConfigError, openDataFolder, parseConfig } from '../src/server/platform/config/config.ts'
import {
  connect,
  explainRefusal,
  migrate,
  refuseHalfRestored,
  startPostgres,
} from '../src/server/platform/db/db.ts'
import { hasLivingInstance } from '../src/server/platform/instances.ts'
import { acceptKey } from '../src/server/platform/key-check/key-check.ts'
import { createLog } from '../src/server/platform/log.ts'
import { runCommand } from './command/run-command.ts'

/** `npm run new-key`: creates a key for an installation that lost its own. Data sealed with the lost key must be entered again. */
await runCommand('npm run new-key', async () => {
  const config = parseConfig(process.env)
  const log = createLog('silent')
  openDataFolder(config)
  const postgres = config.DATABASE_URL ? null : await startPostgres({ dataDir: config.dataDir, log })
  const { db, pool, close } = connect(postgres?.address ?? { url: config.DATABASE_URL ?? '' }, log, {
    max: 2,
  })
  try {
    if (await isServed(pool))
      throw new ConfigError('A server of this installation is running: stop it first.')
    await refuseHalfRestored(pool)
    await migrate(pool)
    const { shut } = await acceptKey(config, db)
    return shut === 0
      ? 'The key is in use. All stored secrets open with it.'
      : 'The key is in use. Enter the stored secrets again: keys of providers and tools, code apps, webhooks, the password of the mail server.'
  } catch (error) {
    const refusal = config.DATABASE_URL ? explainRefusal(error) : null
    throw refusal ? new ConfigError(`DATABASE_URL is wrong: ${refusal}.`) : error
  } finally {
    await close()
    await postgres?.stop()
  }
})

/** Returns true when an instance is running. A database without tables has none. */
async function isServed(pool: Parameters<typeof hasLivingInstance>[0]): Promise<boolean> {
  const { rows } = await pool.query("select to_regclass('public.instances') is not null as is_there")
  return rows[0]?.is_there ? hasLivingInstance(pool) : false
}
