import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Cleans up after each test in reverse order. Call it once, at the top of a file. */
export function cleanAfterEach() {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  const afterwards = (clean: () => unknown) => void cleanups.push(clean)
  return {
    /** Registers a cleanup for the end of the test. */
    afterwards,
    aFolder: (name: string): string => {
      const folder = aDataFolder(name)
      afterwards(() => rmSync(folder, { recursive: true, force: true }))
      return folder
    },
  }
}

/** Creates an empty folder with the server's permissions: it contains the database socket, and other users traverse it. */
export function aDataFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `atrium-${name}-`))
  chmodSync(folder, 0o711)
  return folder
}
