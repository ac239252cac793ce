import { rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { builtName } from '../src/server/platform/process/checkout.ts'
import { listEntries } from './server-entries.ts'

/** Packages of many small modules that have no files of their own; bundled, a start reads them in one go. */
const BUNDLED = /^(?:kysely)(?:\/|$)/

/** Bundles the server into `dist/server`. All other packages stay in `node_modules`. */
const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist', 'server')

rmSync(folder, { recursive: true, force: true })
await build({
  cwd: root,
  input: Object.fromEntries(listEntries(root).map((path) => [builtName(path).slice(0, -3), path])),
  platform: 'node',
  external: (id, importer) => importer !== undefined && isPackage(id),
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: folder,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
  },
  logLevel: 'warn',
})

function isPackage(id: string): boolean {
  return isBuiltin(id) || (!/^(?:[./#]|[a-z]:\\)/i.test(id) && !BUNDLED.test(id))
}
