import { randomBytes } from 'node:crypto'
import { createAccount, hashPassword } from '../src/server/accounts/accounts.ts'
import { createApp } from '../src/server/app.ts'
import { compose } from '../src/server/compose.ts'
import { type Config, ConfigError, openDataFolder, parseConfig } from '../src/server/config.ts'
import { borrowPostgres, MigrationError, PostgresError } from '../src/server/db/db.ts'
import { createLog } from '../src/server/log.ts'
import { createModels } from '../src/server/models/models.ts'
import { openPlatform } from '../src/server/open-platform.ts'
import type { Platform } from '../src/server/platform.ts'
import { SecretError } from '../src/server/secrets.ts'
import { AppError } from '../src/shared/errors.ts'
import { prepareEnvironment } from './environment.ts'
import { play } from './seed/play.ts'
import { signIn } from './seed/visitor.ts'

/**
 * `npm run seed`: an account `demo` with conversations in both languages, for trying the product out. The
 * built-in model answers in them over HTTP, so every run, branch, checkpoint and question is a real one. Beside other
 * accounts only with `--force`. The server may run or stand.
 */
const username = 'demo'
const password = randomBytes(9).toString('base64url')

prepareEnvironment()
try {
  const { isFirst, address } = await seed(parseConfig(process.env), process.argv.includes('--force'))
  console.log(`The demo chats are there, in English and in French; two of them wait for an answer.
Sign in at ${address} as ${username} with the password ${password}${isFirst ? '; this account is the administrator.' : '.'}`)
} catch (error) {
  const expected = [ConfigError, PostgresError, MigrationError, SecretError, AppError]
  if (!(error instanceof Error && expected.some((kind) => error instanceof kind))) throw error
  console.error(error.message)
  process.exit(1)
}

async function seed(config: Config, isForced: boolean): Promise<{ isFirst: boolean; address: string }> {
  const log = createLog(config.ATRIUM_LOG_LEVEL === 'info' ? 'error' : config.ATRIUM_LOG_LEVEL)
  openDataFolder(config)
  const database = config.DATABASE_URL
    ? { address: { url: config.DATABASE_URL }, stop: async () => undefined }
    : await borrowPostgres({ dataDir: config.dataDir, log })
  try {
    const platform = await openPlatform({ config, address: database.address, log, models: createModels })
    const http = createApp(compose(platform.deps))
    try {
      const url = await http.listen({ host: '127.0.0.1', port: 0 })
      const { id, isFirst } = await makeAccount(platform.deps, isForced)
      await talk(url).catch(async (error) => {
        // Half a demo would stand in the way of the next try.
        await platform.deps.db.deleteFrom('users').where('id', '=', id).execute()
        throw error
      })
      return { isFirst, address: config.publicUrl ?? `http://${config.HOST}:${config.PORT}` }
    } finally {
      await http.close()
      await platform.close()
    }
  } finally {
    await database.stop()
  }
}

async function talk(url: string): Promise<void> {
  const visitor = await signIn(url, username, password)
  for (const language of ['fr', 'en'] as const) await play(visitor, language)
}

/** @throws ConfigError when there are accounts and nobody insists; AppError when there is such an account */
async function makeAccount(deps: Platform, isForced: boolean): Promise<{ id: string; isFirst: boolean }> {
  const passwordHash = await hashPassword(password)
  return deps.db.transaction().execute(async (trx) => {
    const someone = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (someone && !isForced)
      throw new ConfigError(
        'This installation has accounts already: "npm run seed -- --force" adds the demo account beside them.',
      )
    const { id, isFirst } = await createAccount(
      deps,
      trx,
      {
        ...{ username, email: 'demo@example.com', fullName: 'Demo', passwordHash, language: 'en' },
        emailProved: true,
        isGranted: true,
      },
      // Who runs commands on the server needs no setup code.
      async () => undefined,
    )
    await trx.updateTable('users').set({ beta_access: true }).where('id', '=', id).execute()
    return { id, isFirst }
  })
}
