import type { RunDeps } from '../../../runs/run-deps.ts'
import { forgetStray, listStray, noteStray } from './stray-store.ts'

/** A file is written before its row and removed after it, so younger strays may be in use. */
const STRAY_MS = 60 * 60 * 1000
const KEYS_AT_ONCE = 500

/** Keys of files with rows; other files have other keys. */
const ours =
  /^(?:(?:blobs|input)\/.+|(?:readings|uploads|media|interfaces|exports)\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\/.+)$/

/** Removes what dead processes left behind: files without a row, incomplete files, and reading folders. */
export async function sweepFiles(deps: RunDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now()
  const before = new Date(now.getTime() - STRAY_MS)
  let keys: string[] = []
  let removed = 0
  const look = async () => {
    signal.throwIfAborted()
    removed += await sweepSome(deps, keys, { now, before })
    keys = []
  }
  for await (const key of deps.files.list()) {
    if (ours.test(key)) keys.push(key)
    if (keys.length >= KEYS_AT_ONCE) await look()
  }
  await look()
  await deps.files.clearUnfinished(before)
  await deps.parsing.clearFolders(before)
  if (removed > 0) deps.log.info({ removed }, 'stray files were removed')
}

async function sweepSome(
  { db, files }: RunDeps,
  keys: string[],
  times: { now: Date; before: Date },
): Promise<number> {
  const stray = await listStray(db, keys)
  const old = await noteStray(db, stray, times)
  for (const key of old) await files.remove(key)
  const isStray = new Set(stray)
  await forgetStray(db, [...old, ...keys.filter((key) => !isStray.has(key))])
  return old.length
}
