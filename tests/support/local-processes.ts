import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the processes that run the chat model in a folder. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && runsModelIn(pid, folder))
    .map(Number)
}

function runsModelIn(pid: string, folder: string): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return line.includes('local-child') && line.includes(folder)
  } catch {
    return false
  }
}
