import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates the data folder and checks that it is writable. Other users may traverse it, because the embedded database may
 * run as another user. @throws the system error, with `syscall`
 */
export function makeDataFolder(dataDir: string): void {
  makeFolder(dataDir)
  const probe = join(dataDir, `.probe-${process.pid}`)
  writeFileSync(probe, '')
  rmSync(probe, { force: true })
}

/** Explains in one line why a folder cannot be used, naming its setting. */
export function explainDataFolder(dataDir: string, error: unknown): string {
  return `ATRIUM_DATA_DIR is wrong: the folder ${dataDir} cannot be used: ${(error as Error).message}`
}

/**
 * Creates a folder and its parents one by one. Node's recursive mode loops forever where the system reports an existing
 * folder as missing, as below /proc.
 */
export function makeFolder(path: string, mode = 0o711): void {
  if (statSync(path, { throwIfNoEntry: false })) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
