import type { ModelDeps } from '../../src/server/models/model-deps.ts'
import { createModels } from '../../src/server/models/models/models.ts'
import { openPlatform } from '../../src/server/open-platform.ts'
import { type Config, ConfigError, openDataFolder } from '../../src/server/platform/config/config.ts'
import { borrowPostgres, explainRefusal } from '../../src/server/platform/db/db.ts'
import { createLog } from '../../src/server/platform/log.ts'

/** Works on the installation of these settings, whether its server runs or not. @throws ConfigError, PostgresError, MigrationError, SecretError */
export async function withPlatform<T>(config: Config, work: (deps: ModelDeps) => Promise<T>): Promise<T> {
  const log = createLog(config.ATRIUM_LOG_LEVEL === 'info' ? 'error' : config.ATRIUM_LOG_LEVEL)
  openDataFolder(config)
  const database = config.DATABASE_URL
    ? { address: { url: config.DATABASE_URL }, stop: async () => undefined }
    : await borrowPostgres({ dataDir: config.dataDir, log })
  try {
    const platform = await openPlatform({ config, address: database.address, log, models: createModels })
    try {
      return await work(platform.deps)
    } finally {
      await platform.close()
    }
  } catch (error) {
    const refusal = config.DATABASE_URL ? explainRefusal(error) : null
    throw refusal ? new ConfigError(`DATABASE_URL is wrong: ${refusal}.`) : error
  } finally {
    await database.stop()
  }
}
