import { createHash } from 'node:crypto'
import { closeSync, linkSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { makeDataFolder } from '../../data-folder.ts'
import { PostgresError } from './postgres-error.ts'

export type FolderLock = { release: () => Promise<void> }

/** Time for a stopped or killed server to release the lock. */
const graceMs = 5_000

/**
 * Makes this process the only server of a data folder. The lock is a listening socket. The system closes it when the process
 * ends for any reason, and it works across containers that share the folder.
 * @throws PostgresError if another server still holds the folder after `waitMs`, five seconds by default
 */
export async function lockFolder(dataDir: string, waitMs = graceMs): Promise<FolderLock> {
  makeDataFolder(dataDir)
  const { path, forget } = shorten(dataDir)
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const server = await listen(draft)
  const release = async () => {
    await close(server)
    forget()
  }
  const deadline = Date.now() + waitMs
  while (!(await take(draft, path))) {
    if (Date.now() > deadline) {
      rmSync(draft, { force: true })
      await release()
      throw new PostgresError(`Another Atrium server already uses the data folder ${dataDir}: stop it first.`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  rmSync(draft, { force: true })
  return {
    release: () => {
      rmSync(path, { force: true })
      return release()
    },
  }
}

/** Returns whether a server holds the folder at present. */
export async function isLocked(dataDir: string): Promise<boolean> {
  const { path, forget } = shorten(dataDir)
  const found = await isAnswered(path)
  forget()
  return found
}

/**
 * Returns a short path of the lock, since socket paths are limited to about 100 bytes. Linux has a short name for every open
 * folder; on other systems the lock of a long path is in /tmp.
 */
function shorten(dataDir: string): { path: string; forget: () => void } {
  const near = join(dataDir, 'lock')
  if (Buffer.byteLength(near) <= 85) return { path: near, forget: () => undefined }
  if (process.platform === 'linux') {
    const folder = openSync(dataDir, 'r')
    return { path: `/proc/self/fd/${folder}/lock`, forget: () => closeSync(folder) }
  }
  const digest = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16)
  return { path: `/tmp/atrium-${digest}.lock`, forget: () => undefined }
}

/** Returns true if `path` now refers to our socket. A link never replaces an existing file. */
async function take(draft: string, path: string): Promise<boolean> {
  if (tryLink(draft, path)) return true
  if (await isAnswered(path)) return false
  // No process listens. Moving the socket aside first lets only one of two new servers remove it.
  const aside = `${path}.old.${process.pid}`
  if (!tryRename(path, aside)) return false
  if (await isAnswered(aside)) {
    tryLink(aside, path)
    rmSync(aside, { force: true })
    return false
  }
  rmSync(aside, { force: true })
  return tryLink(draft, path)
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    )
  })
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server.unref()))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
