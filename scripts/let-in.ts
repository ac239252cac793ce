import { letAdministratorIn } from '../src/server/accounts/accounts.ts'
import { type Config, ConfigError, openDataFolder, parseConfig } from '../src/server/config.ts'
import { borrowPostgres, MigrationError, PostgresError } from '../src/server/db/db.ts'
import { createLog } from '../src/server/log.ts'
import { createModels } from '../src/server/models/models.ts'
import { openPlatform } from '../src/server/open-platform.ts'
import { SecretError } from '../src/server/secrets.ts'
import { AppError } from '../src/shared/errors.ts'
import { prepareEnvironment } from './environment.ts'

/** `npm run let-in NAME`: a link that lets an administrator in who is locked out. The server may run or stand. */
prepareEnvironment()
const [name] = process.argv.slice(2)
if (!name) {
  console.error('Say who: npm run let-in NAME, with a username or an e-mail address.')
  process.exit(1)
}
try {
  const config = parseConfig(process.env)
  const { path, username } = await letIn(config, name)
  const address = config.publicUrl ?? `http://${config.HOST}:${config.PORT}`
  console.log(`${username} chooses a new password at this address, once, within 24 hours:
${address}${path}
Their second factor and their lock-outs are gone. The audit log says so.`)
} catch (error) {
  const expected = [ConfigError, PostgresError, MigrationError, SecretError, AppError]
  if (!(error instanceof Error && expected.some((kind) => error instanceof kind))) throw error
  console.error(error.message)
  process.exit(1)
}

async function letIn(config: Config, who: string): Promise<{ path: string; username: string }> {
  const log = createLog(config.ATRIUM_LOG_LEVEL === 'info' ? 'error' : config.ATRIUM_LOG_LEVEL)
  openDataFolder(config)
  const database = config.DATABASE_URL
    ? { address: { url: config.DATABASE_URL }, stop: async () => undefined }
    : await borrowPostgres({ dataDir: config.dataDir, log })
  try {
    const platform = await openPlatform({ config, address: database.address, log, models: createModels })
    try {
      return await letAdministratorIn(platform.deps, who)
    } finally {
      await platform.close()
    }
  } finally {
    await database.stop()
  }
}
