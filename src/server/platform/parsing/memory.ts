import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/**
 * Returns the memory of a process and its child processes in bytes, from /proc. Returns 0 on systems without it, where only
 * the heap limit applies.
 */
export function memoryOf(pid: number): number {
  return familyOf(pid).reduce((sum, one) => sum + residentBytes(one), 0)
}

function familyOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return [pid, ...children.flatMap(familyOf)]
}

function residentBytes(pid: number): number {
  return Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
