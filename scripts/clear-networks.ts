import { clearNetworks } from '../src/server/identity/networks/networks.ts'
import { ConfigError, parseConfig } from '../src/server/platform/config/config.ts'
import { runCommand } from './command/run-command.ts'
import { withPlatform } from './command/with-platform.ts'

/** `npm run clear-networks COMPANY`: removes a company's networks when its administrators cannot enter, whether the server is running or not. */
await runCommand('npm run clear-networks', async () => {
  const name = process.argv.slice(2).join(' ')
  if (!name)
    throw new ConfigError('Say which: npm run clear-networks COMPANY, with the name or the id of a company.')
  const { company, count } = await withPlatform(parseConfig(process.env), (deps) => clearNetworks(deps, name))
  return `Removed networks of ${company}: ${count}. Its people can sign in from everywhere. The audit log says so.`
})
