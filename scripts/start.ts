import { accessSync, constants, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { explainDataFolder, makeDataFolder } from '../src/server/platform/data-folder.ts'
import { buildOnce, compiledIn } from './build-once.ts'
import { prepareEnvironment } from './environment.ts'

/** `npm start`: the right Node, the settings of `.env`, the web built once, then the server in this same process. */
const root = prepareEnvironment()
const dataDir = resolve(process.env.ATRIUM_DATA_DIR?.trim() || './data')
const ownCode = join(dataDir, 'cache', 'compile')
try {
  makeDataFolder(dataDir)
  mkdirSync(ownCode, { recursive: true, mode: 0o711 })
} catch (error) {
  console.error(explainDataFolder(dataDir, error))
  process.exit(1)
}

// A process that only works shows no page.
if (process.env.ATRIUM_ROLE?.trim() !== 'worker') await buildOnce(root)

// Code is compiled once, for this process and those it starts.
const builtCode = compiledIn(root)
process.env.NODE_COMPILE_CACHE ||= isWritable(builtCode) ? builtCode : ownCode
enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('../src/server/main.ts')

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
