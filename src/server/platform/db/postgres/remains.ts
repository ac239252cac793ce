import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { PostgresError } from './postgres-error.ts'

const patienceMs = 5_000

/**
 * Ends a database server that outlived the process that started it, and removes the lock files of one that is gone.
 * Only called by the holder of the folder's lock, so a process that still runs is an orphan.
 */
export async function clearRemains(cluster: string, socketDir: string, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    if (isServerOf(pid, cluster)) {
      log.warn({ pid }, 'A database server of an earlier start still runs; it is stopped.')
      await end(pid, cluster, ['SIGINT', 'SIGQUIT', 'SIGKILL'])
    }
    // What a killed server had started may still be at work, and no other starts beside it.
    await Promise.all(listServers(cluster).map((child) => end(child, cluster, ['SIGQUIT', 'SIGKILL'])))
    // A dead server's id may by now name another process, which PostgreSQL would take for its own.
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
  throw new PostgresError(`The database server ${pid} of an earlier start cannot be stopped: end it by hand.`)
}

/** Only Linux can say which processes work in a folder. */
function listServers(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => isServerOf(pid, cluster))
}

/** Whether a process is a living PostgreSQL that works in this cluster. A zombie is dead. */
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
    // It ended meanwhile.
  }
}
