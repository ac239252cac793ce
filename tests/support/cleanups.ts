import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** What one test makes ends with it, the last first. Called once, at the top of a file. */
export function cleanAfterEach() {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  const afterwards = (clean: () => unknown) => void cleanups.push(clean)
  return {
    /** Done when the test is over. */
    afterwards,
    aFolder: (name: string): string => {
      const folder = aDataFolder(name)
      afterwards(() => rmSync(folder, { recursive: true, force: true }))
      return folder
    },
  }
}

/** An empty folder as the server leaves its own: the database's socket is in it, and others pass through. */
export function aDataFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `atrium-${name}-`))
  chmodSync(folder, 0o711)
  return folder
}
