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

/** Client address of the server: a Unix socket, and its only role. */
export type PostgresAddress = { host: string; port: number; user: string; database: string }

export type Postgres = {
  address: PostgresAddress
  /** Current process id of the postmaster. It changes with a restart. */
  pid: () => number
  /** Stops the server cleanly, then releases the lock. */
  stop: () => Promise<void>
}

type Options = {
  /** Folder of this installation's data. The cluster is in `postgres` below it. */
  dataDir: string
  log: Log
  /** False only for temporary clusters, since a power loss would destroy the data. */
  isDurable?: boolean
  /** Further server settings, such as `{ max_connections: '200' }`. */
  settings?: Record<string, string>
}

const restartDelayMs = 200
/** A starting server may need time for crash recovery. */
const borrowMs = 60_000

/**
 * Starts the embedded PostgreSQL, creates it on the first start, and restarts it after crashes until `stop`. Only this
 * process's user can connect.
 * @throws PostgresError if another server uses the folder, or the machine cannot run it
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

/** Uses the database server that runs in this folder, or starts one until `stop`. @throws PostgresError */
export async function borrowPostgres(options: Options): Promise<Pick<Postgres, 'address' | 'stop'>> {
  const address = await findRunning(options.dataDir)
  return address ? { address, stop: async () => undefined } : startPostgres(options)
}

/** Waits for a server that is starting; returns null if no server holds the folder. */
async function findRunning(dataDir: string): Promise<PostgresAddress | null> {
  const deadline = Date.now() + borrowMs
  while (await isLocked(dataDir)) {
    const socketDir = readyAt(join(dataDir, 'postgres', 'postmaster.pid'))
    if (socketDir !== null) return accessOf(socketDir)
    if (Date.now() > deadline)
      throw new PostgresError(
        `The server that uses the data folder ${dataDir} is not ready: try again later.`,
      )
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}

/** Returns the socket folder from the pid file once the server accepts connections, otherwise null. */
function readyAt(pidFile: string): string | null {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n')
    return lines[7]?.trim() === 'ready' ? (lines[4] ?? null) : null
  } catch {
    return null
  }
}

const accessOf = (host: string) => ({ host, port: 5432, user: 'postgres', database: 'postgres' })

/** Reports a file error (no permission, no space, read-only) in one line. */
function refuseFolder(dataDir: string, error: unknown): never {
  if (error instanceof PostgresError || !(error instanceof Error && 'syscall' in error)) throw error
  if (isDiskFull(error))
    throw new PostgresError(`The disk of ${dataDir} is full: free about 200 MB and start again.`, {
      cause: error,
    })
  throw new PostgresError(explainDataFolder(dataDir, error), { cause: error })
}

/** Starts the server, and restarts it after each unexpected exit. */
async function supervise(launch: () => Promise<Postmaster>, log: Log) {
  let current = await launch()
  let isStopping = false
  let relaunching: Promise<void> = Promise.resolve()
  const watch = (postmaster: Postmaster) => {
    void postmaster.ended.then(() => {
      if (isStopping) return
      log.error('The database server ended unexpectedly; restarting it.')
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
        log.error({ error }, 'The database server could not be restarted.')
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
