import { randomBytes } from 'node:crypto'
import { createApp } from '../src/server/app.ts'
import { compose } from '../src/server/compose.ts'
import { createAccount, hashPassword } from '../src/server/identity/accounts/accounts.ts'
import type { ModelDeps } from '../src/server/models/model-deps.ts'
import { ConfigError, parseConfig } from '../src/server/platform/config/config.ts'
import { runCommand } from './command/run-command.ts'
import { withPlatform } from './command/with-platform.ts'
import { play } from './seed/play.ts'
import { signIn } from './seed/visitor.ts'

/**
 * `npm run seed`: creates a `demo` account with conversations in both languages. The built-in model answers over HTTP,
 * so all runs, branches, checkpoints and questions are real. Needs `--force` when other accounts exist.
 * The server may be running or stopped.
 */
const username = 'demo'
const password = randomBytes(9).toString('base64url')

await runCommand('npm run seed', async () => {
  const config = parseConfig(process.env)
  const isFirst = await withPlatform(config, (deps) => seed(deps, process.argv.includes('--force')))
  const address = config.publicUrl ?? `http://${config.HOST}:${config.PORT}`
  return `The demo chats are there, in English and in French; two of them wait for an answer.
Sign in at ${address} as ${username} with the password ${password}${isFirst ? '; this account is the administrator.' : '.'}`
})

/** Returns true when the account is the first one. */
async function seed(platform: ModelDeps, isForced: boolean): Promise<boolean> {
  const http = createApp(compose(platform))
  try {
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    const { id, isFirst } = await makeAccount(platform, isForced)
    await talk(url).catch(async (error) => {
      // An incomplete demo account would block the next attempt.
      await platform.db.deleteFrom('users').where('id', '=', id).execute()
      throw error
    })
    return isFirst
  } finally {
    await http.close()
  }
}

async function talk(url: string): Promise<void> {
  const visitor = await signIn(url, username, password)
  for (const language of ['fr', 'en'] as const) await play(visitor, language)
}

/** @throws ConfigError when there are accounts and no flag allows it; AppError when the account exists */
async function makeAccount(deps: ModelDeps, isForced: boolean): Promise<{ id: string; isFirst: boolean }> {
  const passwordHash = await hashPassword(password)
  return deps.db.transaction().execute(async (trx) => {
    const someone = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (someone && !isForced)
      throw new ConfigError(
        'This installation has accounts already: "npm run seed -- --force" adds the demo account to them.',
      )
    const { id, isFirst } = await createAccount(
      deps,
      trx,
      {
        ...{ username, email: 'demo@example.com', fullName: 'Demo', passwordHash, language: 'en' },
        emailProved: true,
        isGranted: true,
      },
      // A person with shell access needs no setup code.
      async () => undefined,
    )
    await trx.updateTable('users').set({ beta_access: true }).where('id', '=', id).execute()
    return { id, isFirst }
  })
}
