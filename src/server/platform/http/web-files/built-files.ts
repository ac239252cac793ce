import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Encoding } from '../accepted-encoding.ts'

/** A file of the web build, in the encoding that a client gets. */
export type BuiltFile = { bytes: Buffer; etag: string; type: string; encoding: Encoding | null }

export type BuiltFiles = {
  /** Returns the file at a path without a leading slash, null if the build has none. @throws when it cannot be read any more */
  read: (path: string, accepted: Encoding | 'plain') => Promise<BuiltFile> | null
}

/** Files stay in memory up to this size in total. The whole build is smaller. */
const MAX_CACHED_BYTES = 48 * 1024 * 1024
const PAGE = 'index.html'
const SUFFIXES = { br: '.br', gzip: '.gz' } as const

/**
 * Opens the files of a web build. The folder is listed once, so an unknown address costs no disk access, and no address reaches
 * another folder. Each file is read once, in the encoding that the build compressed it to.
 */
export function openBuiltFiles(folder: string): BuiltFiles {
  const names = new Set(list(folder))
  const cached = new Map<string, Promise<BuiltFile>>()
  let cachedBytes = 0
  const load = async (path: string, encoding: Encoding | null): Promise<BuiltFile> => {
    const bytes = await readFile(join(folder, encoding ? path + SUFFIXES[encoding] : path))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    return { bytes, etag, type: typeOf(path), encoding }
  }
  return {
    read: (path, accepted) => {
      if (!names.has(path)) return null
      const encoding = accepted !== 'plain' && names.has(path + SUFFIXES[accepted]) ? accepted : null
      const key = `${encoding} ${path}`
      const known = cached.get(key)
      if (known) return known
      const loading = load(path, encoding)
      cached.set(key, loading)
      loading.then(
        ({ bytes }) => {
          if (cachedBytes + bytes.length > MAX_CACHED_BYTES) cached.delete(key)
          else cachedBytes += bytes.length
        },
        () => cached.delete(key),
      )
      return loading
    },
  }
}

/** Lists the files below a folder. The page is served at every address instead. */
function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => path !== PAGE)
}

function typeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream'
}

const SCRIPT = 'text/javascript; charset=utf-8'
const types: Record<string, string> = {
  ...{ '.js': SCRIPT, '.mjs': SCRIPT, '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' },
  ...{ '.woff2': 'font/woff2', '.woff': 'font/woff', '.ttf': 'font/ttf', '.wasm': 'application/wasm' },
  ...{
    '.json': 'application/json; charset=utf-8',
    '.webmanifest': 'application/manifest+json',
    '.md': 'text/markdown; charset=utf-8',
  },
  ...{ '.zip': 'application/zip', '.png': 'image/png' },
}
