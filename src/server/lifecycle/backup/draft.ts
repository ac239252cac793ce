import type { Stats } from 'node:fs'
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BackupError } from './backup-error.ts'

/** The unfinished archive of one process, beside its target. */
export type Draft = {
  path: string
  handle: FileHandle
  /** Gives the draft the name of its target. @throws BackupError when the target exists and is not to be replaced */
  publish(options: { replaces: boolean }): Promise<void>
  /** Removes the draft, unless another process has taken the name over. */
  discard(): Promise<void>
}

const HEARTBEAT_MS = 5_000
/** A living process touches its draft more often than this. */
export const ABANDONED_MS = 60_000

/**
 * Creates `<target>.part`, which also locks the target: a second backup to the same name is refused. A draft that no process
 * has touched for a minute is what a killed backup left, and is removed.
 * @throws BackupError when another backup writes the target; what the system says, when the file cannot be created
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

/** Says why an archive cannot be written to `target`, before any work is done. @throws BackupError */
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
  // Moved aside first: of two newcomers only one clears it away, and neither takes the fresh draft of the other.
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

/** A link never replaces a file; where the file system has no links, a look comes before the rename. */
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

/** The new name outlives a power cut. Not every system lets a folder be synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

const taken = (target: string) =>
  new BackupError(`${target} exists already: choose another name, or add --force to replace it.`)
