import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** A running process as the kernel shows it. `cpuSeconds` is user and system time since its start. */
export type ProcessFacts = { pid: number; parent: number; name: string; state: string; cpuSeconds: number }

const TICKS_PER_SECOND = 100

/** Lists every process of the machine. */
export function listProcesses(): ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(Number(pid)) ?? [])
}

/** Returns a process and its descendants, without zombies. */
export function processTree(root: number): ProcessFacts[] {
  const all = listProcesses().filter(({ state }) => state !== 'Z')
  const found = all.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

/** Returns the proportional set size in MB, which divides shared pages among their processes. */
export function memoryMb(pids: number[]): number {
  const kilobytes = pids.map((pid) => {
    const rollup = readOrNull(`/proc/${pid}/smaps_rollup`) ?? ''
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0)
  })
  return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024
}

/** Returns the CPU seconds of a process tree, with database processes counted separately. */
export function cpuSeconds(root: number): { node: number; postgres: number } {
  const tree = processTree(root)
  const total = (wanted: boolean) =>
    tree
      .filter(({ name }) => (name === 'postgres') === wanted)
      .reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  return { node: total(false), postgres: total(true) }
}

/** Splits the cores into those for the server (two on a machine with four) and the rest. */
export function shareCores(): { server: number[]; others: number[] } {
  const cores = [...Array(availableParallelism()).keys()]
  const forServer = cores.length >= 4 ? 2 : 1
  const others = cores.slice(forServer)
  return { server: cores.slice(0, forServer), others: others.length > 0 ? others : cores }
}

/** Returns a command prefix that pins a program to cores; empty without cores or without `taskset`. */
export function pinTo(cores: number[]): string[] {
  return hasTaskset && cores.length > 0 ? ['taskset', '-c', cores.join(',')] : []
}

const hasTaskset = (() => {
  try {
    execFileSync('taskset', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

function readProcess(pid: number): ProcessFacts | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (!stat) return null
  // The name is in brackets and may itself contain spaces and brackets.
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, end),
    state: fields[0] ?? '?',
    parent: Number(fields[1]),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // It ended between listing and reading.
  }
}
