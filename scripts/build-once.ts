import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ownModulesOnly } from '../src/server/platform/process/own-modules.ts'

type Part = {
  /** Display name in the terminal. */
  name: string
  sources: string[]
  /** Output folder, below the checkout. */
  output: string
  build: (root: string) => Promise<boolean>
}

const common = ['src/shared/**/*', 'src/tools/*/*', 'locales/*/*.json', 'package-lock.json']

const web: Part = {
  name: 'web interface',
  sources: [
    ...common,
    'src/web/**/*',
    'src/viewers/**/*',
    'src/embed-script/*',
    'src/extension/**/*',
    'src/service-worker/*',
    'index.html',
    'vite.config.ts',
    'scripts/folder-texts.ts',
    'src/server/**/texts/*/*.json',
    'src/server/knowledge/connectors/sources/*/*-icon.ts',
  ],
  output: 'dist/web',
  build: buildWeb,
}
const server: Part = {
  name: 'server',
  sources: [
    ...common,
    'src/server/**/*',
    'src/parsers/**/*',
    'scripts/{build-once,build-server,environment,server-entries,start}.ts',
    'package.json',
  ],
  output: 'dist/server',
  build: buildServer,
}

/** Time after which another build counts as stuck. */
const MAX_BUILD_MS = 5 * 60_000

/** The server's entry, built. */
export const builtServer = (root: string): string => join(root, 'dist', 'server', 'server-main.js')

/** V8's compiled code of the built server, as Node's compile cache. */
export const compiledIn = (root: string): string => join(root, 'dist', 'compiled')

/**
 * Builds parts that were never built or whose sources changed: the server and, with `withWeb`, the web. Takes a few milliseconds
 * when nothing changed. A release is already built and lacks the web's sources, so it is skipped. Ends the process when a build fails.
 */
export async function buildOnce(root: string, { withWeb = true } = {}): Promise<void> {
  if (existsSync(join(root, 'dist', 'release'))) return
  const parts = withWeb ? [web, server] : [server]
  if (parts.every((part) => isBuilt(root, part))) return
  if (!existsSync(join(root, 'node_modules', 'rolldown'))) {
    console.error(
      'The packages that build Atrium are missing. Run "npm ci --include=dev", or install a release.',
    )
    process.exit(1)
  }
  const lock = await lockBuild(join(root, 'dist'))
  // Another process of this checkout may have built them meanwhile.
  const missing = parts.filter((part) => !isBuilt(root, part))
  const ended = await Promise.all(missing.map((part) => buildPart(root, part)))
  await lock.release()
  if (!ended.every(Boolean)) process.exit(1)
}

/** Waits until no other process builds this checkout, such as a worker that starts next to a web process. */
async function lockBuild(dist: string) {
  try {
    mkdirSync(dist, { recursive: true })
    accessSync(dist, constants.W_OK)
  } catch {
    console.error(
      `This checkout must be built, but this user may not write to ${dist}. Run "npm run build" as the owner of the checkout.`,
    )
    process.exit(1)
  }
  const { lockFolder } = await import('../src/server/platform/db/postgres/lock.ts')
  return lockFolder(dist, MAX_BUILD_MS).catch(() => {
    console.error('Another process is still building this checkout.')
    process.exit(1)
  })
}

async function buildPart(root: string, part: Part): Promise<boolean> {
  const started = performance.now()
  console.info(`Building the ${part.name} …`)
  const stamp = stampOf(root, part)
  if (!(await part.build(root))) {
    console.error(`The ${part.name} could not be built.`)
    return false
  }
  writeFileSync(stampFile(root, part), stamp)
  console.info(`Built the ${part.name} in ${Math.round((performance.now() - started) / 1000)} s.`)
  return true
}

/** Node reads Vite's settings itself: Vite would write a copy into `node_modules`, which may belong to another user. */
async function buildWeb(root: string): Promise<boolean> {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const settings = ['--config', join(root, 'vite.config.ts'), '--configLoader', 'native']
  // The compile cache would go to the shared temporary folder, where another user could place code.
  return run(root, [vite, 'build', '--logLevel', 'warn', ...settings], { NODE_DISABLE_COMPILE_CACHE: '1' })
}

async function buildServer(root: string): Promise<boolean> {
  const compiled = compiledIn(root)
  // Code compiled for another version, or by another Node.
  rmSync(compiled, { recursive: true, force: true })
  if (!(await run(root, [join(root, 'scripts', 'build-server.ts')], { NODE_DISABLE_COMPILE_CACHE: '1' })))
    return false
  // A start without compiled code takes longer and works as well.
  await run(root, [join(root, 'scripts', 'compile-server.ts')], { NODE_COMPILE_CACHE: compiled })
  return true
}

const signals = ['SIGTERM', 'SIGINT'] as const

/** Runs Node in a process of its own, whose memory ends with it, with NODE_ENV set for production. Returns whether it succeeded. */
async function run(root: string, args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn(process.execPath, [...ownModulesOnly, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: 'inherit',
  })
  const stop = () => child.kill()
  for (const signal of signals) process.once(signal, stop)
  const [code] = await once(child, 'exit')
  for (const signal of signals) process.off(signal, stop)
  return code === 0
}

const stampFile = (root: string, { output }: Part) => join(root, output, '.sources')

function isBuilt(root: string, part: Part): boolean {
  const file = stampFile(root, part)
  return existsSync(file) && readFileSync(file, 'utf8') === stampOf(root, part)
}

/** Hashes names, sizes and times of all sources: cheap, and changed by every edit. */
function stampOf(root: string, { sources }: Part): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).sort()) {
    const found = statSync(join(root, file))
    if (found.isFile() && !file.endsWith('.test.ts')) hash.update(`${file} ${found.size} ${found.mtimeMs}\n`)
  }
  return hash.digest('hex')
}
