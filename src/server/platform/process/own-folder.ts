import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, utimes } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** A temporary folder of this process. */
export type OwnFolder = { path: string; remove: () => Promise<void> }

const HEARTBEAT_MS = 15_000
/** A process on another machine or in another container counts as dead after this long without touching its folder. */
export const MAX_SILENCE_MS = 300_000

/**
 * Creates a temporary folder that only this user may enter. Its name identifies the process, so that `clearFolders` can detect
 * whether it was left behind.
 */
export function makeOwnFolder(parent: string, kind: string): OwnFolder {
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  const path = mkdtempSync(join(parent, `${kind}-${markOf(process.pid)}-`))
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now, () => undefined)
  }, HEARTBEAT_MS).unref()
  return {
    path,
    remove: async () => {
      clearInterval(beat)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/**
 * Removes the folders of these kinds whose process is dead: on this machine immediately, elsewhere after `MAX_SILENCE_MS`.
 * Folders of earlier versions have no mark and are removed if they are older than `unmarkedBefore`.
 */
export async function clearFolders(
  parent: string,
  kinds: readonly string[],
  { now, unmarkedBefore }: { now: number; unmarkedBefore: number },
): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    if (!kinds.some((kind) => name.startsWith(`${kind}-`))) continue
    const path = join(parent, name)
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory() && isAbandoned(name, found.mtimeMs, { now, unmarkedBefore }))
      await rm(path, { recursive: true, force: true })
  }
}

function isAbandoned(
  name: string,
  touched: number,
  { now, unmarkedBefore }: { now: number; unmarkedBefore: number },
): boolean {
  const { mark, pid } = /-(?<mark>[0-9a-f]{8}\.(?<pid>\d+)\.\d+)-\w{6}$/.exec(name)?.groups ?? {}
  if (mark === undefined) return touched < unmarkedBefore
  // A process id is meaningful only within the same pid namespace.
  if (mark.startsWith(machine())) return markOf(Number(pid)) !== mark
  return touched < now - MAX_SILENCE_MS
}

/** Identifies a process: its pid namespace, its id, and its start time, since ids are reused. */
function markOf(pid: number): string {
  return `${machine()}.${pid}.${startOf(pid)}`
}

let known: string | null = null

/** Identifies this boot of the machine, or the container on it. */
function machine(): string {
  known ??= createHash('sha256').update(describeMachine()).digest('hex').slice(0, 8)
  return known
}

function describeMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Returns the start time of a process in ticks since boot; 0 if unknown, -1 if it is gone. */
function startOf(pid: number): number {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? 0 : -1
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // A program's name may contain spaces and parentheses, so fields are counted from its end.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? -1 : Number(fields[19])
  } catch {
    return -1
  }
}
