import type { Stats } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BackupError } from './backup-error.ts'

/** One process's unfinished archive, next to its target. */
export type Draft = {
  path: string
  handle: FileHandle
  /** Renames the draft to its target. @throws BackupError when the target exists and must not be replaced */
  publish(options: { replaces: boolean }): Promise<void>
  /** Deletes the draft, unless another process has taken it over. */
  discard(): Promise<void>
}

const HEARTBEAT_MS = 5_000
/** Age after which an untouched draft is abandoned: a live process touches its draft more often. */
export const ABANDONED_MS = 60_000

/**
 * Creates `<target>.part`, which also locks the target: a second backup to the same name is refused. A draft untouched for a
 * minute was left by a killed backup and is removed.
 * @throws BackupError when another backup is writing the target; the system error when the file cannot be created
 */
export async function openDraft(target: string): Promise<Draft> {
  const path = `${target}.part`
  const handle = await claim(path, target)
  const mine = await handle.stat()
  const beat = setInterval(() => void touch(handle), HEARTBEAT_MS).unref()
  const isMine = async () => {
    const found = await lstat(path).catch(() => null)
    return found !== null && found.ino === mine.ino && found.dev === mine.dev
  }
  const close = async () => {
    clearInterval(beat)
    await handle.close().catch(() => undefined)
  }
  return {
    path,
    handle,
    publish: async ({ replaces }) => {
      await close()
      if (!(await isMine()))
        throw new BackupError(`${path} was removed while it was written: start the backup again.`)
      await (replaces ? rename(path, target) : renameUnlessTaken(path, target))
      await syncFolder(dirname(target))
    },
    discard: async () => {
      await close()
      if (await isMine()) await rm(path, { force: true })
    },
  }
}

/** Checks that an archive can be written to `target`, before any work. @throws BackupError */
export async function refuseTarget(target: string, { replaces }: { replaces: boolean }): Promise<void> {
  const found = await lstat(target).catch(() => null)
  if (!found) return
  if (!found.isFile()) throw new BackupError(`${target} is no file: choose another name.`)
  if (!replaces) throw taken(target)
}

async function claim(path: string, target: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx+', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const busy = new BackupError(
    `Another backup writes ${target}: wait for it, or choose another name. If it was killed, try again in a minute.`,
  )
  if (!isAbandoned(await lstat(path))) throw busy
  // Moved aside first, so that only one of two new processes removes it, and neither removes the other's new draft.
  const aside = `${path}.${process.pid}`
  await rename(path, aside)
  if (!isAbandoned(await lstat(aside))) {
    await link(aside, path).catch(() => undefined)
    await rm(aside, { force: true })
    throw busy
  }
  await rm(aside, { force: true })
  return open(path, 'wx+', 0o600).catch(() => {
    throw busy
  })
}

function isAbandoned(found: Stats): boolean {
  return found.isFile() && Date.now() - found.mtimeMs > ABANDONED_MS
}

async function touch(handle: FileHandle): Promise<void> {
  const now = new Date()
  await handle.utimes(now, now).catch(() => undefined)
}

/** Renames without replacing: by a hard link, or with a check first where the file system has none. */
async function renameUnlessTaken(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
    await rm(from)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(to)
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error
    if (await stat(to).catch(() => null)) throw taken(to)
    await rename(from, to)
  }
}

/** Syncs the folder, so that the new name survives a power failure. Not every system supports this. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

const taken = (target: string) =>
  new BackupError(`${target} exists already: choose another name, or add --force to replace it.`)
