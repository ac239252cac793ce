import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the CPU priority of a process, or of this thread or process if `pid` is missing. `niceness` is 1 to 19 and is only ever
 * raised, as unprivileged users may not lower it. If the system refuses, the work runs at normal priority.
 */
export function lowerPriority(niceness: number, pid = 0): void {
  // Only Linux has priorities per thread; elsewhere this would slow the whole process.
  if (pid === 0 && !isMainThread && process.platform !== 'linux') return
  try {
    if (getPriority(pid) < niceness) setPriority(pid, niceness)
  } catch {
    // The process has ended, or the system refuses.
  }
}

/**
 * Lowers all processes of the session that a process leads; does nothing if it leads none. Linux may divide CPU time between
 * sessions first (`sched_autogroup_enabled`), so a process's niceness counts only within its session.
 */
export function lowerSession(niceness: number, pid: number): void {
  if (process.platform !== 'linux') return
  const place = `/proc/${pid}/autogroup`
  try {
    const current = Number(/nice (-?\d+)/.exec(readFileSync(place, 'utf8'))?.[1])
    if (leadsSession(pid) && current < niceness) writeFileSync(place, String(niceness))
  } catch {
    // The process has ended, or this kernel has no autogroups.
  }
}

/** A process that leads no session shares the one of this server, which must keep its priority. */
function leadsSession(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(session) === pid
}
