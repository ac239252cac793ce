import { spawn } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/platform/errors.ts'
import { programEnvironment } from '../../../../platform/mcp/program-environment.ts'
import { binaryPackage, engineFolder, engineManifests, hasEngine } from './engine-folder.ts'

/** Timeout of the whole installation, which downloads about 30 MB. */
const MAX_MS = 15 * 60_000
/** Characters stored of npm's output, from its end. */
const MAX_SAID = 4_000
/** Disables package scripts, and limits the retries against a registry that does not answer. */
const ARGUMENTS = [
  ...['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--no-progress'],
  ...['--fetch-retries=2', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=3000'],
  ...['--fetch-timeout=60000', '--loglevel=error'],
]

type Environment = Record<string, string | undefined>

/**
 * Installs the engine into the data folder with npm, unless it is installed. npm verifies the pinned hash of each package.
 * @throws AppError with one sentence as its detail; the reason of `signal`
 */
export async function installEngine(
  dataDir: string,
  signal: AbortSignal,
  environment: Environment = process.env,
): Promise<void> {
  if (await hasEngine(dataDir)) return
  const binary = binaryPackage()
  if (!binary)
    throw new AppError(
      'not_available',
      `Models cannot run here: there is no engine for ${process.platform} on ${process.arch}.`,
    )
  const place = engineFolder(dataDir)
  const folder = `${place}.arriving-${process.pid}`
  const { manifest, lock } = engineManifests(binary)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    await runNpm(folder, signal, environment)
    await rename(folder, place).catch(async (error) => {
      // Another process may have installed it first.
      if (!(await hasEngine(dataDir))) throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runNpm(folder: string, signal: AbortSignal, environment: Environment): Promise<void> {
  const isWindows = process.platform === 'win32'
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', ARGUMENTS, {
    ...{ cwd: folder, env: npmEnvironment(folder, environment), shell: isWindows, windowsHide: true },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]),
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_SAID)
  })
  const { promise, resolve } = Promise.withResolvers<number | 'missing' | 'late' | null>()
  child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ENOENT' ? 'missing' : 'late'))
  child.on('close', (code) => resolve(code))
  const end = await promise
  signal.throwIfAborted()
  if (end !== 0) throw new AppError('unavailable', sayFailure(end, said))
}

/** Returns a sentence about a failed installation. `said` is the output of npm. */
function sayFailure(end: number | 'missing' | 'late' | null, said: string): string {
  if (end === 'missing') return 'The engine needs npm to be installed, and npm was not found on the server.'
  if (end === 'late') return 'The engine could not be installed: npm did not end in time.'
  if (/EINTEGRITY/.test(said))
    return 'The engine was not installed: a package is not the one that is pinned. Check the npm registry.'
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(said))
    return 'The engine could not be installed: the npm registry cannot be reached from the server.'
  if (/ENOSPC/.test(said)) return 'The disk of the server is full. Make room and try again.'
  const [line = 'npm gave no reason'] = /npm error (?!code|A complete log)[^\n]+/.exec(said) ?? []
  return `The engine could not be installed: ${line.replace('npm error ', '').slice(0, 300)}.`
}

/** Passes on the npm settings of the server's account: registry, proxies and certificates. */
function npmEnvironment(folder: string, own: Environment): Environment {
  const settings = Object.entries(own).filter(([name]) =>
    /^(npm_config_.*|HOME|APPDATA|LOCALAPPDATA|USERPROFILE)$/i.test(name),
  )
  return { ...programEnvironment(folder, own), ...Object.fromEntries(settings) }
}
