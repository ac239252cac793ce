import { installEngine } from '../src/server/models/models/installed/local/install-engine.ts'
import { openDataFolder, parseConfig } from '../src/server/platform/config/config.ts'
import { runCommand } from './command/run-command.ts'

/** `npm run engine`: installs the program that runs chat models on this machine into the data folder. */
await runCommand('npm run engine', async (signal) => {
  const config = parseConfig(process.env)
  openDataFolder(config)
  await installEngine(config.dataDir, signal)
  return 'The engine is installed. Install a model on the page Models.'
})
