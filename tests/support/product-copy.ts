import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const forServer = ['src', 'locales', 'migrations', 'package.json']
const forBuild = ['scripts', 'index.html', 'vite.config.ts', 'package-lock.json', 'tsconfig.json']
const settings = ['tsconfig.base.json', 'tsconfig.web.json']

/** Creates a copy of the product with additional folders of tools and connector sources, which starts like the real one. */
export function copyProduct(
  toolFolders: string[],
  sourceFolders: string[] = [],
): { root: string; remove: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'atrium-copy-'))
  copyInto(root, forServer)
  for (const folder of toolFolders) {
    cpSync(folder, join(root, 'src', 'tools', basename(folder)), { recursive: true })
  }
  for (const folder of sourceFolders)
    cpSync(folder, join(root, 'src/server/knowledge/connectors/sources', basename(folder)), {
      recursive: true,
    })
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** Creates a copy at `root` that can be built and started with `scripts/start.ts`. */
export function copyCheckout(root: string): void {
  mkdirSync(root)
  copyInto(root, [...forServer, ...forBuild, ...settings])
}

function copyInto(root: string, names: string[]): void {
  for (const name of names) cpSync(resolve(name), join(root, name), { recursive: true })
  symlinkSync(realpathSync('node_modules'), join(root, 'node_modules'))
}
