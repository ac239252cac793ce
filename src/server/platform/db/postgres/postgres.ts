import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explainDataFolder } from '../../data-folder.ts'
import type { Log } from '../../log.ts'
import { isDiskFull } from '../trouble.ts'
import { locateBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { isLocked, lockFolder } from './lock.ts'
import { findOperator } from './operator.ts'
import { PostgresError } from './postgres-error.ts'
import { launchPostmaster, type Postmaster } from './postmaster.ts'
import { clearRemains } from './remains.ts'
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts'

export { PostgresError }

/** How a client reaches the server: over a Unix socket only, as the one role there is. */
export type PostgresAddress = { host: string; port: number; user: string; database: string }

export type Postgres = {
  address: PostgresAddress
  /** The postmaster's process id now; another one after a restart. */
  pid: () => number
  /** Clean stop of the server, then the lock is given back. */
  stop: () => Promise<void>
}

type Options = {
  /** The folder that holds everything of this installation; the cluster is `postgres` in it. */
  dataDir: string
  log: Log
  /** False only for throw-away clusters: a power loss would destroy the data. */
  isDurable?: boolean
  /** Further server settings, e.g. `{ max_connections: '200' }`. */
  settings?: Record<string, string>
}

const restartDelayMs = 200
/** A server that starts may have a crash to recover from. */
const borrowMs = 60_000

/**
 * Starts the installation's own PostgreSQL, making it on the first start, and keeps it running until
 * `stop`. Nobody but this process's user can connect.
 * @throws PostgresError when another server uses the folder, or the machine cannot run it.
 */
export async function startPostgres({
  dataDir,
  log,
  isDurable = true,
  settings = {},
}: Options): Promise<Postgres> {
  const lock = await lockFolder(dataDir).catch((error) => refuseFolder(dataDir, error))
  try {
    const cluster = join(dataDir, 'postgres')
    const operator = findOperator(cluster)
    const binaries = locateBinaries(dataDir, operator)
    const socketDir = makeSocketFolder(dataDir, operator)
    await prepareCluster({ cluster, binaries, operator })
    const launch = async () => {
      await clearRemains(cluster, socketDir, log)
      return launchPostmaster({ cluster, binaries, operator, socketDir, settings, isDurable, log })
    }
    const supervised = await supervise(launch, log)
    return {
      address: accessOf(socketDir),
      pid: supervised.pid,
      stop: async () => {
        await supervised.stop()
        removeSocketFolder(socketDir, dataDir)
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    return refuseFolder(dataDir, error)
  }
}

/** The database of the server that runs in this folder, else one that is started until `stop`. @throws PostgresError */
export async function borrowPostgres(options: Options): Promise<Pick<Postgres, 'address' | 'stop'>> {
  const address = await findRunning(options.dataDir)
  return address ? { address, stop: async () => undefined } : startPostgres(options)
}

/** Waits for a server that is starting; null when none has the folder. */
async function findRunning(dataDir: string): Promise<PostgresAddress | null> {
  const deadline = Date.now() + borrowMs
  while (await isLocked(dataDir)) {
    const socketDir = readyAt(join(dataDir, 'postgres', 'postmaster.pid'))
    if (socketDir !== null) return accessOf(socketDir)
    if (Date.now() > deadline)
      throw new PostgresError(
        `The server that uses the data folder ${dataDir} does not get ready: try again later.`,
      )
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}

/** The folder of the socket of a server that takes connections, as PostgreSQL notes it. */
function readyAt(pidFile: string): string | null {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n')
    return lines[7]?.trim() === 'ready' ? (lines[4] ?? null) : null
  } catch {
    return null
  }
}

const accessOf = (host: string) => ({ host, port: 5432, user: 'postgres', database: 'postgres' })

/** What the system says about a file (no permission, no space, read-only), in one line. */
function refuseFolder(dataDir: string, error: unknown): never {
  if (error instanceof PostgresError || !(error instanceof Error && 'syscall' in error)) throw error
  if (isDiskFull(error))
    throw new PostgresError(`The disk of ${dataDir} is full: free about 200 MB and start again.`, {
      cause: error,
    })
  throw new PostgresError(explainDataFolder(dataDir, error), { cause: error })
}

/** Launches, and launches again whenever the server dies without being asked to. */
async function supervise(launch: () => Promise<Postmaster>, log: Log) {
  let current = await launch()
  let isStopping = false
  let relaunching: Promise<void> = Promise.resolve()
  const watch = (postmaster: Postmaster) => {
    void postmaster.ended.then(() => {
      if (isStopping) return
      log.error('The database server ended unexpectedly; it is started again.')
      relaunching = relaunch()
    })
  }
  const relaunch = async () => {
    for (let attempt = 1; !isStopping; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(restartDelayMs * attempt, 5_000)))
      try {
        if (isStopping) return
        current = await launch()
        watch(current)
        return
      } catch (error) {
        log.error({ error }, 'The database server could not be started again.')
      }
    }
  }
  watch(current)
  return {
    pid: () => current.pid,
    stop: async () => {
      isStopping = true
      await relaunching
      await current.stop()
    },
  }
}
