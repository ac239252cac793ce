import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownModulesOnly } from '../src/server/platform/process/own-modules.ts'

const sources = [
  'src/web/**/*',
  'src/shared/**/*',
  'src/viewers/**/*',
  'src/embed-script/*',
  'src/extension/**/*',
  'src/tools/*/*',
  'locales/*/*.json',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]

const signals = ['SIGTERM', 'SIGINT'] as const

/** Where the server's code lies compiled, as it was when the web was built; what has changed since is compiled as it is loaded. */
export const compiledIn = (root: string): string => join(root, 'dist', 'compiled')

/** Builds the web when it was never built or its sources changed since; otherwise costs a few milliseconds. */
export async function buildOnce(root: string): Promise<void> {
  const stampFile = join(root, 'dist', 'web', '.sources')
  const stamp = stampOf(root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.info('Building the web interface …')
  await build(root)
  writeFileSync(stampFile, stamp)
}

/** In processes of their own, whose memory goes with them; for production, whatever the shell has put into NODE_ENV. */
async function build(root: string): Promise<void> {
  const compiled = compiledIn(root)
  // Of an earlier version, or an earlier Node.
  rmSync(compiled, { recursive: true, force: true })
  const run = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', ...more },
      stdio: 'inherit',
    })
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  // Node reads the settings itself: Vite would write a copy into `node_modules`, which may belong to somebody else, and keep its
  // compiled code in the shared temporary folder, where others may put theirs.
  const settings = ['--config', join(root, 'vite.config.ts'), '--configLoader', 'native']
  const web = run([...ownModulesOnly, vite, 'build', '--logLevel', 'warn', ...settings], {
    NODE_DISABLE_COMPILE_CACHE: '1',
  })
  const code = run([...ownModulesOnly, join(root, 'scripts', 'compile-server.ts')], {
    NODE_COMPILE_CACHE: compiled,
  })
  const stop = () => {
    web.kill()
    code.kill()
  }
  for (const signal of signals) process.once(signal, stop)
  // Without compiled code a start takes longer, and no more.
  const [[ended]] = await Promise.all([once(web, 'exit'), once(code, 'exit')])
  for (const signal of signals) process.off(signal, stop)
  if (ended === 0) return
  console.error('The web interface could not be built.')
  process.exit(1)
}

/** Names, sizes and times of all sources: cheap, and changed by every edit. */
function stampOf(root: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).sort()) {
    const { size, mtimeMs, isFile } = describe(join(root, file))
    if (isFile) hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function describe(path: string) {
  const found = statSync(path)
  return { size: found.size, mtimeMs: found.mtimeMs, isFile: found.isFile() }
}
