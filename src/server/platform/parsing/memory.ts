import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/**
 * Bytes of memory a process and all that it started hold, by what Linux tells in /proc. Elsewhere 0: there the bound of the
 * heap has to do.
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
