import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { PostgresError } from './postgres-error.ts'

const patienceMs = 5_000

/**
 * Ends a database server that outlived its parent process, and removes the lock files of a dead one. Call it only while
 * holding the folder's lock: any server that still runs is then an orphan.
 */
export async function clearRemains(cluster: string, socketDir: string, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (isServerOf(pid, cluster)) {
      log.warn({ pid }, 'A database server of an earlier start is still running; stopping it.')
      await end(pid, cluster, ['SIGINT', 'SIGQUIT', 'SIGKILL'])
    }
    // Children of a killed server may still run, and a new server does not start while they do.
    await Promise.all(listServers(cluster).map((child) => end(child, cluster, ['SIGQUIT', 'SIGKILL'])))
    // The process id of a dead server may now belong to another process, which PostgreSQL would mistake for its own.
    rmSync(pidFile, { force: true })
  }
  rmSync(join(socketDir, '.s.PGSQL.5432'), { force: true })
  rmSync(join(socketDir, '.s.PGSQL.5432.lock'), { force: true })
}

async function end(pid: number, cluster: string, signals: NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    trySignal(pid, signal)
    const deadline = Date.now() + patienceMs
    while (Date.now() < deadline) {
      if (!isServerOf(pid, cluster)) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  throw new PostgresError(
    `The database server ${pid} of an earlier start cannot be stopped: end it yourself.`,
  )
}

/** Lists the servers of a cluster. Only Linux reports which processes work in a folder. */
function listServers(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => isServerOf(pid, cluster))
}

/** Returns whether a process is a live PostgreSQL of this cluster. A zombie is not alive. */
function isServerOf(pid: number, cluster: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false
  return process.platform === 'linux' ? isLinuxServer(pid, cluster) : isListedServer(pid, cluster)
}

function isLinuxServer(pid: number, cluster: string): boolean {
  try {
    const state = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return state !== 'Z' && name === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
  } catch {
    return false
  }
}

function isListedServer(pid: number, cluster: string): boolean {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' })
    return !line.startsWith('Z') && line.includes('postgres') && line.includes(cluster)
  } catch {
    return false
  }
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It exited in the meantime.
  }
}
