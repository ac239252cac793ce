// First, so that later imports come from the checkout.
import './platform/process/own-modules.ts'
import { statfsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { loadCode } from './load-code.ts'
import type { OpenPlatform } from './open-platform.ts'
import { type Config, ConfigError, openDataFolder, parseConfig } from './platform/config/config.ts'
import {
  type Address,
  explainRefusal,
  isDiskFull,
  isUnreachable,
  MigrationError,
  PostgresError,
  startPostgres,
} from './platform/db/db.ts'
import { explainFailure } from './platform/explain-failure.ts'
import { createLog, type Log } from './platform/log.ts'
import { giveBackMemory } from './platform/process/give-back-memory.ts'
import { SecretError } from './platform/secrets.ts'
import { startWatchdog, type Watchdog } from './platform/watchdog/watchdog.ts'

type Running = { url: string; stop: () => Promise<void> }

/** Accept backlog: all clients reconnect together when another process dies. */
const ACCEPT_BACKLOG = 4_096

/** PostgreSQL extends its log in units of 16 MB. */
const MIN_ROOM_BYTES = 2 * 16 * 2 ** 20

/** Delay of warming up, so that waiting page requests come first. */
const WARM_AFTER_MS = 1_000

/** Maximum time of a drain. */
const drainMs = 15_000

try {
  const starting = start(process.env)
  stopOnSignal(starting)
  await starting
} catch (error) {
  const expected = [ConfigError, PostgresError, MigrationError, SecretError]
  console.error(explainFailure('The start', error, expected))
  process.exit(1)
}

/** Starts the parts of this process: embedded database, platform, features, web and worker. */
async function start(environment: NodeJS.ProcessEnv): Promise<Running> {
  const config = parseConfig(environment)
  const log = createLog(config.ATRIUM_LOG_LEVEL)
  openDataFolder(config)
  // The database boots while the remaining code loads.
  const [database, code] = await Promise.all([
    openDatabase(config.DATABASE_URL, config.dataDir, log),
    loadCode(),
  ])
  let platform: OpenPlatform | null = null
  let http: FastifyInstance | null = null
  let watchdog: Watchdog | null = null
  let warming: NodeJS.Timeout | undefined
  let leaveMemory = () => {}
  const stop = async () => {
    clearTimeout(warming)
    leaveMemory()
    await watchdog?.stop()
    await http?.close()
    await platform?.close()
    await database.stop()
  }
  try {
    platform = await code.openPlatform({ config, address: database.address, log, models: code.createModels })
    const deps = code.compose(platform.deps)
    http = code.createApp(deps)
    const setupCode = config.servesWeb ? await code.readSetupCode(deps) : null
    const hosts = await code.addressesOf(config.HOST)
    const address = await code.listen(http, { hosts, port: config.PORT, backlog: ACCEPT_BACKLOG })
    const url = config.publicUrl ?? address
    platform.setAddress(url)
    tell(
      config.servesWeb
        ? `Atrium is ready at ${url}`
        : `Atrium works here; its health: ${address}/api/v1/health`,
    )
    if (setupCode) tell(`The first account needs this setup code: ${setupCode}`)
    if (config.works) {
      void deps.jobs.start()
      deps.mailbox.start()
    }
    const warm = () =>
      code.warmSearch(deps).catch((error) => log.warn({ err: error }, 'the search could not be prepared'))
    warming = setTimeout(() => void warm(), WARM_AFTER_MS)
    leaveMemory = giveBackMemory()
    const dog = startWatchdog(config.ATRIUM_LIMIT_HANG_SECONDS)
    watchdog = dog
    code.onHeldRuns(deps.engine, (ids) => dog.tell(ids.join(' ')))
    return { url, stop }
  } catch (error) {
    await stop()
    throw explain(error, config)
  }
}

async function openDatabase(
  databaseUrl: string | undefined,
  dataDir: string,
  log: Log,
): Promise<{ address: Address; stop: () => Promise<void> }> {
  if (databaseUrl) return { address: { url: databaseUrl }, stop: async () => {} }
  const postgres = await startPostgres({ dataDir, log })
  return { address: postgres.address, stop: postgres.stop }
}

/** Handles signals from the first moment: a process that knows the address may also stop the server. */
function stopOnSignal(starting: Promise<Running>): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      setTimeout(() => process.exit(1), drainMs).unref()
      const stopped = starting.then(({ stop }) => stop())
      stopped.then(
        () => process.exit(0),
        (error) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}

/** Returns whether the disk has room for the database log; without it PostgreSQL stops. */
function hasRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > MIN_ROOM_BYTES
}

/** Prints a line for the person at the terminal. Everything else goes to the log. */
function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Names the setting that caused a failed start. */
function explain(error: unknown, { HOST, PORT, DATABASE_URL, dataDir }: Config): unknown {
  const { code, syscall, hostname } = error as NodeJS.ErrnoException & { hostname?: string }
  if (code === 'EADDRINUSE') return new ConfigError(`PORT is wrong: ${HOST}:${PORT} is already in use.`)
  if (code === 'EACCES' && syscall === 'listen') {
    return new ConfigError(`PORT is wrong: this user may not listen on ${HOST}:${PORT}.`)
  }
  if (code === 'EADDRNOTAVAIL' || (syscall === 'getaddrinfo' && hostname === HOST)) {
    return new ConfigError(`HOST is wrong: ${HOST} is no address of this machine.`)
  }
  if (!DATABASE_URL && (isDiskFull(error) || (isUnreachable(error) && !hasRoom(dataDir))))
    return new ConfigError(`The disk of ${dataDir} is full: free some space and start again.`)
  const refusal = DATABASE_URL ? explainRefusal(error) : null
  return refusal ? new ConfigError(`DATABASE_URL is wrong: ${refusal}.`) : error
}
