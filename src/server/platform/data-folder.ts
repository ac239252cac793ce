import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Makes the folder that keeps an installation, and makes sure that it can be written to. Others may pass through it:
 * the embedded database may run as another user. @throws what the system says, with `syscall`
 */
export function makeDataFolder(dataDir: string): void {
  makeFolder(dataDir)
  const probe = join(dataDir, `.probe-${process.pid}`)
  writeFileSync(probe, '')
  rmSync(probe, { force: true })
}

/** Why a folder cannot be used, in one line that names its setting. */
export function explainDataFolder(dataDir: string, error: unknown): string {
  return `ATRIUM_DATA_DIR is wrong: the folder ${dataDir} cannot be used: ${(error as Error).message}`
}

/**
 * Makes a folder and those above it, one after the other: where the system calls a folder missing that is there, as below
 * /proc, Node's own way tries without end.
 */
export function makeFolder(path: string, mode = 0o711): void {
  if (statSync(path, { throwIfNoEntry: false })) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
