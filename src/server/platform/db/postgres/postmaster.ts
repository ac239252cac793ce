import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Log } from '../../log.ts'
import { type ClusterOptions, nameOfCluster } from './cluster.ts'
import { asOperator, guard } from './operator.ts'
import { PostgresError } from './postgres-error.ts'
import { reasonIn } from './said.ts'

export type Postmaster = { pid: number; ended: Promise<void>; stop: () => Promise<void> }

type Options = ClusterOptions & {
  socketDir: string
  settings: Record<string, string>
  isDurable: boolean
  log: Log
  startTimeoutMs?: number
  stopTimeoutMs?: number
}

/** Crash recovery replays at most the writes of one checkpoint. */
const defaultStartTimeoutMs = 60_000
/** Timeout of each of the three ways to stop, from the gentlest to the last. */
const defaultStopTimeoutMs = 15_000

/** Settings for low idle memory. Measured: 15 MB for all processes, with the same latencies as larger settings. */
const smallSettings: Record<string, string> = {
  listen_addresses: '',
  port: '5432',
  max_connections: '80',
  shared_buffers: '16MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  unix_socket_permissions: '0700',
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
}

const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts one postmaster and waits until it accepts connections.
 * @throws PostgresError with its output if it exits or is not ready in time
 */
export async function launchPostmaster(options: Options): Promise<Postmaster> {
  const child = spawnPostmaster(options)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000)
    options.log.debug({ postgres: chunk.toString().trim() }, 'database server')
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      said += error.message
      resolve()
    })
  })
  const { cluster, startTimeoutMs = defaultStartTimeoutMs, stopTimeoutMs = defaultStopTimeoutMs } = options
  const stop = () => stopChild(child, ended, stopTimeoutMs)
  const isOver = ended.then(() => true)
  await waitUntilReady(cluster, child, isOver, startTimeoutMs).catch(async (error) => {
    await stop()
    throw new PostgresError(`${(error as Error).message}: ${reasonIn(said, dirname(cluster))}.`)
  })
  return { pid: child.pid ?? 0, ended, stop }
}

function spawnPostmaster({ cluster, binaries, operator, socketDir, settings, isDurable }: Options) {
  const all = {
    ...smallSettings,
    ...(isDurable ? {} : notDurable),
    ...settings,
    unix_socket_directories: socketDir,
  }
  const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [binaries.postgres, '-D', nameOfCluster(cluster, operator), ...parameters]
  // SIGINT requests PostgreSQL's fast, clean shutdown.
  const [program = '', ...args] = [...guard('INT'), ...command]
  return spawn(program, args, {
    cwd: cluster,
    // A separate session, so that Ctrl-C reaches only Node, which then stops the server in order.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
    ...asOperator(operator),
  })
}

async function waitUntilReady(
  cluster: string,
  child: ChildProcess,
  isOver: Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (isReady(cluster, child.pid)) return
    const pause = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5))
    if (await Promise.race([isOver, pause])) throw new Error('The database server exited during startup')
  }
  throw new Error(`The database server was not ready within ${timeoutMs / 1000} seconds`)
}

/** The last line of postmaster.pid holds the server's state. */
function isReady(cluster: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

async function stopChild(child: ChildProcess, ended: Promise<void>, timeoutMs: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill(signal)
    const isOver = await Promise.race([
      ended.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref()),
    ])
    if (isOver) return
  }
}
