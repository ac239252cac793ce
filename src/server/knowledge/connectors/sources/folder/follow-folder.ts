import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { mayContain } from '../../selected.ts'

/** Folders that are watched. The system limits them; a larger tree is read at the interval. */
const MAX_WATCHED = 4_000
/** Files are often written in several steps. */
const QUIET_MS = 500

/** Calls `changed` after something in the selected folders changes, until the signal aborts. @throws AppError `unavailable` for a tree that is too large */
export async function followFolder(
  root: string,
  selection: Selection,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watchers = new Map<string, FSWatcher>()
  const failed = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const watchBelow = async (below: string): Promise<void> => {
    if (watchers.has(below) || signal.aborted) return
    if (watchers.size >= MAX_WATCHED)
      throw new AppError('unavailable', 'The folder has too many folders to watch.')
    const watcher = watch(join(root, below), () => {
      clearTimeout(timer)
      timer = setTimeout(changed, QUIET_MS)
      // A new folder is watched too.
      watchInner(below).catch(failed.reject)
    })
    watcher.on('error', () => {
      watcher.close()
      watchers.delete(below)
    })
    watchers.set(below, watcher)
    await watchInner(below)
  }
  const watchInner = async (below: string) => {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = below ? `${below}/${entry.name}` : entry.name
      if (entry.isDirectory() && !entry.name.startsWith('.') && mayContain(selection, path))
        await watchBelow(path)
    }
  }
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  try {
    await watchBelow('')
    await Promise.race([ended, failed.promise])
  } finally {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}
