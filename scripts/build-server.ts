import { rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type OutputBundle } from 'rolldown'
import { builtName } from '../src/server/platform/process/checkout.ts'
import { libraries, libraryName, listEntries } from './server-entries.ts'

/** Packages of many small modules that have no files of their own; bundled with what they import, they load in one go. */
const BUNDLED = new RegExp(`^(?:${['kysely', ...libraries].join('|')})(?:/|$)`)

/** Bundles the server into `dist/server`. All other packages stay in `node_modules`. */
const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist', 'server')

rmSync(folder, { recursive: true, force: true })
await build({
  cwd: root,
  input: Object.fromEntries([
    ...listEntries(root).map((path) => [builtName(path).slice(0, -3), path]),
    ...libraries.map((name) => [libraryName(name).slice(0, -3), name]),
  ]),
  platform: 'node',
  external: (id, importer) => importer !== undefined && isExternal(id, importer),
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: folder,
    format: 'esm',
    sourcemap: true,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
  },
  plugins: [
    { name: 'narrow', generateBundle: (_, files) => narrow(files) },
    { name: 'no-library-maps', generateBundle: (_, files) => dropLibraryMaps(files) },
  ],
  logLevel: 'warn',
})

/** Returns true for a package that stays in `node_modules`. Imports of a bundled package are bundled as well. */
function isExternal(id: string, importer: string): boolean {
  if (isBuiltin(id)) return true
  return !/^(?:[./#]|[a-z]:\\)/i.test(id) && !BUNDLED.test(id) && !/[\\/]node_modules[\\/]/.test(importer)
}

/** Escapes letters beyond Latin-1, because V8 keeps a source with one of them in twice the memory. */
function narrow(files: OutputBundle): void {
  for (const file of Object.values(files))
    if (file.type === 'chunk')
      file.code = file.code.replace(/(\\?)([^\0-\xff])/g, (_, backslash: string, letter: string) => {
        if (backslash)
          throw new Error(`${file.fileName} escapes ${letter}, which cannot be written as a code.`)
        return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
      })
}

/** Keeps no source maps of libraries; they are larger than the libraries. */
function dropLibraryMaps(files: OutputBundle): void {
  for (const name of Object.keys(files)) if (/^library-.*\.map$/.test(name)) delete files[name]
}
