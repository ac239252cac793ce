import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Gives a process less of the processor: `niceness` from 1 to 19, for this thread or process when `pid` is missing. It only ever raises the
 * niceness, as an ordinary user may not lower it. A refusal changes nothing: the work then runs at the usual pace.
 */
export function lowerPriority(niceness: number, pid = 0): void {
  // Only on Linux does a thread have a priority of its own; elsewhere this would slow the whole process.
  if (pid === 0 && !isMainThread && process.platform !== 'linux') return
  try {
    if (getPriority(pid) < niceness) setPriority(pid, niceness)
  } catch {
    // The process has ended, or this system refuses.
  }
}

/**
 * The same for all processes of the session that a process leads; nothing where it leads none. Linux may divide the processor among sessions
 * first (`sched_autogroup_enabled`); the niceness of a process then counts within its session only.
 */
export function lowerSession(niceness: number, pid: number): void {
  if (process.platform !== 'linux') return
  const place = `/proc/${pid}/autogroup`
  try {
    const current = Number(/nice (-?\d+)/.exec(readFileSync(place, 'utf8'))?.[1])
    if (leadsSession(pid) && current < niceness) writeFileSync(place, String(niceness))
  } catch {
    // The process has ended, or this kernel has no such groups.
  }
}

/** A process that leads none shares the session of this server, which must keep its pace. */
function leadsSession(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(session) === pid
}
