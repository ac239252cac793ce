import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'

/**
 * A folder for all that the tests of a run make, gone with it: in memory, where there is much of it. Each test file makes
 * and takes away hundreds of files, and a disk looks long for places that have not just been freed.
 */
export function aFolderForTheRun(): string {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'atrium-tests-'))
  // The user that runs the database goes through it.
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
