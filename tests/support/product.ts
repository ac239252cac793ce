import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Product = {
  url: string
  dataDir: string
  process: ChildProcess
  /** Returns its output so far. */
  output: () => string
  /** Sends SIGTERM and waits for the exit. */
  stop: () => Promise<void>
  /** Sends SIGKILL and waits for the exit. */
  kill: () => Promise<void>
}

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** Node's flags in the command of `npm start`. */
const startFlags: string[] = scripts.start.split(' ').filter((word: string) => word.startsWith('--'))

type Options = {
  dataDir?: string
  env?: Record<string, string>
  /** Command prefix, such as `['taskset', '-c', '0,1']`. */
  prefix?: string[]
  /** Starts only the server, without building the web. */
  entry?: 'scripts/start.mjs' | 'src/server/main.ts'
  /** Root folder of the product, if it is not this repository. */
  root?: string
  timeoutMs?: number
}

/** Starts the real product like `npm start`, on a free port, and waits until it prints its address. */
export async function startProduct({
  dataDir,
  env = {},
  prefix = [],
  entry = 'scripts/start.mjs',
  root,
  timeoutMs = 60_000,
}: Options = {}): Promise<Product> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'atrium-product-'))
  const [command = 'node', ...args] = [...prefix, process.execPath, ...startFlags, entry]
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...withoutSettings(process.env),
      PORT: '0',
      ATRIUM_DATA_DIR: folder,
      ATRIUM_LOG_LEVEL: 'warn',
      ATRIUM_LOCAL_MODEL_PORTS: 'off',
      ATRIUM_TITLES: 'message',
      // Testing the boxes of programs takes seconds of CPU time, so only tests that need one wait for it.
      ATRIUM_LIMIT_CODE_TRIAL_SECONDS: '86400',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await ended
    if (!dataDir) rmSync(folder, { recursive: true, force: true })
  }
  const url = await waitForAddress(() => output, child, timeoutMs).catch(async (error) => {
    await end('SIGKILL')
    throw error
  })
  return {
    url,
    dataDir: folder,
    process: child,
    output: () => output,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

async function waitForAddress(output: () => string, child: ChildProcess, timeoutMs: number): Promise<string> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    const address = /https?:\/\/[\w.:[\]-]+:\d+/.exec(output())?.[0]
    if (address) return address
    if (child.exitCode !== null) throw new Error(`the product stopped at start:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`the product did not start within ${timeoutMs} ms:\n${output()}`)
}

/** Returns the environment without settings of this product, so that a developer's settings do not affect a test. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours =
    /^(ATRIUM_|OPENAI_|ANTHROPIC_|GOOGLE_|MICROSOFT_|GITHUB_|FACEBOOK_|APPLE_|OIDC_|OAUTH_|SAML_|LDAP_|S3_|SMTP_|DATABASE_URL|REDIS_URL|PORT$|HOST$)/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.test(name)))
}
