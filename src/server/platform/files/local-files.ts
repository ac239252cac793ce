import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#shared/platform/errors.ts'
import { isDiskFull } from '../db/db.ts'
import type { FileStore } from './file-port.ts'
import { checkKey } from './key.ts'
import { measure, storageFull } from './measure.ts'

const drafts = '.drafts'

/** Stores files in a folder. A file appears under its key only once it is complete and on disk. */
export function createLocalFiles(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, checkKey(key))
  return {
    write: async (key, content, { maxBytes = Number.POSITIVE_INFINITY } = {}) => {
      const path = pathOf(key)
      const draft = join(folder, drafts, randomUUID())
      try {
        await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
        const measured = measure(maxBytes)
        await pipeline(
          content,
          measured.stream,
          createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
        )
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(draft, path)
        return { key, ...measured.result() }
      } catch (error) {
        await rm(draft, { force: true })
        throw isDiskFull(error) ? storageFull(error) : error
      }
    },
    read: async (key, range) => {
      const handle = await open(pathOf(key)).catch(notFound)
      if (!(await handle.stat()).isFile()) {
        await handle.close()
        throw gone()
      }
      return handle.createReadStream(range ? { start: range.start, end: range.end } : {})
    },
    size: async (key) => {
      const found = await stat(pathOf(key)).catch(missing)
      return found?.isFile() ? found.size : null
    },
    remove: async (key) => rm(pathOf(key), { force: true }),
    list: () => walk(folder, ''),
    clearUnfinished: async (before) => {
      for await (const key of walk(folder, `${drafts}/`)) {
        const path = join(folder, key)
        const found = await stat(path).catch(missing)
        if (found && found.mtime < before) await rm(path, { force: true })
      }
    },
  }
}

async function* walk(folder: string, below: string): AsyncGenerator<string> {
  const entries = await opendir(join(folder, below)).catch(missing)
  for await (const entry of entries ?? []) {
    const key = below + entry.name
    if (entry.isFile()) yield key
    else if (entry.isDirectory() && key !== drafts) yield* walk(folder, `${key}/`)
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function missing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

function notFound(error: unknown): never {
  throw isMissing(error) ? gone() : error
}

function gone(): AppError {
  return new AppError('not_found', 'The file is gone.')
}
