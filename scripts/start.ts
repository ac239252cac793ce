import { accessSync, constants, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { explainDataFolder, makeDataFolder } from '../src/server/platform/data-folder.ts'
import { mapStacks } from '../src/server/platform/process/map-stacks.ts'
import { buildOnce, builtServer, compiledIn } from './build-once.ts'
import { prepareEnvironment } from './environment.ts'

/** `npm start`: checks Node, reads `.env`, builds what is missing or changed, then runs the built server in this process. */
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

// A worker serves no pages.
await buildOnce(root, { withWeb: process.env.ATRIUM_ROLE?.trim() !== 'worker' })

// This process and those it starts share compiled code.
const builtCode = compiledIn(root)
process.env.NODE_COMPILE_CACHE ||= isWritable(builtCode) ? builtCode : ownCode
enableCompileCache(process.env.NODE_COMPILE_CACHE)
const server = pathToFileURL(builtServer(root))
mapStacks(new URL('.', server))
await import(server.href)

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
