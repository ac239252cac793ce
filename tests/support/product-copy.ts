import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

/** A copy of the product with more tools, each a folder, to be started as the real one is. */
export function copyProduct(toolFolders: string[]): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'atrium-copy-'))
  for (const name of ['src', 'locales', 'migrations', 'package.json']) {
    cpSync(resolve(name), join(root, name), { recursive: true })
  }
  symlinkSync(realpathSync('node_modules'), join(root, 'node_modules'))
  for (const folder of toolFolders) {
    cpSync(folder, join(root, 'src', 'tools', basename(folder)), { recursive: true })
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
