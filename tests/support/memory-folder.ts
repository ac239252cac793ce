import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'

/**
 * Returns a folder for all files of a test run, deleted with it. It is in memory if there is enough, because each test file
 * creates and deletes hundreds of files, which is slow on a disk.
 */
export function aFolderForTheRun(): string {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'atrium-tests-'))
  // The database's user traverses it.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.includes(` ${memory} `))
    return bavail * bsize > 8 * 2 ** 30 && mount?.includes('noexec') === false
  } catch {
    return false
  }
}
