import { readdirSync, readFileSync } from 'node:fs'

/** Returns the process ids of all descendants of a process. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(Number(entry))
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const found = [pid]
  for (let i = 0; i < found.length; i += 1) found.push(...(children.get(found[i] ?? 0) ?? []))
  return found
}

/** Returns whether a process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  return parentOf(pid) !== null
}

function parentOf(pid: number): number | null {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state === 'Z' || state === 'X' ? null : Number(parent)
  } catch {
    return null
  }
}
