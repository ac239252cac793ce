import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = [
  'src/web/**/*',
  'src/shared/**/*',
  'src/tools/*/*',
  'locales/*/*.json',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]

/** Builds the web when it was never built or its sources changed since; otherwise costs a few milliseconds. */
export async function buildWebOnce(root: string): Promise<void> {
  const stampFile = join(root, 'dist', 'web', '.sources')
  const stamp = stampOf(root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  console.info('Building the web interface …')
  await build(root)
  writeFileSync(stampFile, stamp)
}

/** For production, whatever the shell or a test runner has put into NODE_ENV: Vite would follow that. */
async function build(root: string): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  await vite.build({ root, logLevel: 'warn' })
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
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
