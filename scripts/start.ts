import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { explainDataFolder, makeDataFolder } from '../src/server/data-folder.ts'
import { prepareEnvironment } from './environment.ts'

/** `npm start`: the right Node, the settings of `.env`, the web built once, then the server in this same process. */
const root = prepareEnvironment()
const dataDir = resolve(process.env.ATRIUM_DATA_DIR?.trim() || './data')
const cache = join(dataDir, 'cache', 'compile')
try {
  makeDataFolder(dataDir)
  mkdirSync(cache, { recursive: true, mode: 0o711 })
  enableCompileCache(cache)
} catch (error) {
  console.error(explainDataFolder(dataDir, error))
  process.exit(1)
}

// A process that only works shows no page.
if (process.env.ATRIUM_ROLE?.trim() !== 'worker') {
  const { buildWebOnce } = await import('./build-web.ts')
  await buildWebOnce(root)
}
await import('../src/server/main.ts')
