import { once } from 'node:events'
import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Selection } from '#shared/knowledge/connectors/sources.ts'
import { AppError } from '#shared/platform/errors.ts'
import { mayContain } from '../../selected.ts'

/** Folders that are watched. The system limits them; a larger tree is read at the interval. */
const MAX_WATCHED = 4_000
/** Time in which changes are reported together. */
const BURST_MS = 500

/** Calls `changed` when it begins and after something in the selected folders changes, until the signal aborts. @throws AppError `unavailable` for a tree that is too large */
export async function followFolder(
  root: string,
  selection: Selection,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const watchers = new Map<string, FSWatcher>()
  const failed = Promise.withResolvers<never>()
  const dirty = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const report = async () => {
    timer = undefined
    changed()
    // New folders are watched too.
    for (const below of [...dirty]) {
      dirty.delete(below)
      await watchInner(below)
    }
  }
  const watchBelow = async (below: string): Promise<void> => {
    if (watchers.has(below) || signal.aborted) return
    if (watchers.size >= MAX_WATCHED)
      throw new AppError('unavailable', 'The folder has too many folders to watch.')
    const watcher = watch(join(root, below), () => {
      dirty.add(below)
      timer ??= setTimeout(() => report().catch(failed.reject), BURST_MS)
    })
    watcher.on('error', () => watcher.close())
    watchers.set(below, watcher)
    await watchInner(below)
  }
  const watchInner = async (below: string) => {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    const paths = folders.map(({ name }) => (below ? `${below}/${name}` : name))
    forgetOthers(watchers, below, paths)
    for (const path of paths) if (mayContain(selection, path)) await watchBelow(path)
  }
  const ended = once(signal, 'abort')
  try {
    signal.throwIfAborted()
    await watchBelow('')
    changed()
    await Promise.race([ended, failed.promise])
  } finally {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}

/** Closes the watchers of folders that are gone. One of the same name is watched again. */
function forgetOthers(watchers: Map<string, FSWatcher>, below: string, paths: readonly string[]): void {
  const start = below ? `${below}/` : ''
  for (const [path, watcher] of watchers) {
    if (path === '' || path === below || !path.startsWith(start)) continue
    if (paths.some((one) => path === one || path.startsWith(`${one}/`))) continue
    watcher.close()
    watchers.delete(path)
  }
}
