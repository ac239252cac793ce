import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** Builds the web when it was never built or its sources changed since; otherwise costs a few milliseconds. */
export async function buildWebOnce(root: string): Promise<void> {
  const stampFile = join(root, 'dist', 'web', '.sources')
  const stamp = stampOf(root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.info('Building the web interface …')
  await build(root)
  writeFileSync(stampFile, stamp)
}

/** In a process of its own, whose memory goes with it; for production, whatever the shell has put into NODE_ENV. */
async function build(root: string): Promise<void> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const builder = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  const stop = () => builder.kill()
  for (const signal of signals) process.once(signal, stop)
  const [code] = await once(builder, 'exit')
  for (const signal of signals) process.off(signal, stop)
  if (code === 0) return
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
