import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleaseFile } from './write-tarball.ts'

/** The server reads its tools, providers and sandbox scripts from `src`, and commands import its modules. */
const included = [
  '.npmrc',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE.md',
  'README.md',
  'SECURITY.md',
  'deploy/*',
  'dist/{server,web}/**/*',
  'docs/*.md',
  'docs/images/*',
  'locales/**/*.json',
  'migrations/*',
  'scripts/{backup,build-once,clear-networks,engine,environment,let-in,new-key,restore,seed,start}.ts',
  'scripts/start.mjs',
  'scripts/prune-packages.mjs',
  'scripts/{command,seed}/*.ts',
  'src/{server,parsers,shared,tools}/**/*',
]
/** Tests and the parts of tools that the web interface shows. */
const excluded = /\.test\.ts$|^src\/.*\.(?:tsx|css)$/

/** Lists the files that a release takes unchanged from the checkout and its build. */
export function listReleaseFiles(root: string): ReleaseFile[] {
  return globSync(included, { cwd: root })
    .filter((name) => !excluded.test(name) && statSync(join(root, name)).isFile())
    .sort()
    .map((name) => ({ name, path: join(root, name) }))
}
