import { mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'

/** `npm start`: the right Node, the settings of `.env`, the web built once, then the server in this same process. */
const root = resolve(import.meta.dirname, '..')
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Atrium needs Node 24 or newer; this is ${process.version}. Start it with "npm start" after "npm ci".`,
  )
  process.exit(1)
}

process.chdir(root)
try {
  process.loadEnvFile(join(root, '.env'))
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}

const dataDir = resolve(process.env.ATRIUM_DATA_DIR?.trim() || './data')
const cache = join(dataDir, 'cache', 'compile')
try {
  mkdirSync(cache, { recursive: true, mode: 0o711 })
  enableCompileCache(cache)
} catch (error) {
  console.error(`The data folder ${dataDir} cannot be written: ${(error as Error).message}`)
  process.exit(1)
}

const { buildWebOnce } = await import('./build-web.ts')
await buildWebOnce(root)
await import('../src/server/main.ts')
