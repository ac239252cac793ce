import { letAdministratorIn } from '../src/server/identity/accounts/accounts.ts'
import { ConfigError, parseConfig } from '../src/server/platform/config/config.ts'
import { runCommand } from './command/run-command.ts'
import { withPlatform } from './command/with-platform.ts'

/** `npm run let-in NAME`: prints a sign-in link for a locked-out administrator, whether the server is running or not. */
await runCommand('npm run let-in', async () => {
  const [name] = process.argv.slice(2)
  if (!name) throw new ConfigError('Say who: npm run let-in NAME, with a username or an e-mail address.')
  const config = parseConfig(process.env)
  const { path, username } = await withPlatform(config, (deps) => letAdministratorIn(deps, name))
  const address = config.publicUrl ?? `http://${config.HOST}:${config.PORT}`
  return `${username} chooses a new password at this address, once, within 24 hours:
${address}${path}
Their second factor and their lock-outs are gone. The audit log says so.`
})
