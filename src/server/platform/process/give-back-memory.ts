import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Interval of the idle check. V8 shrinks the heap if little was allocated in the five seconds before. */
const CHECK_INTERVAL_MS = 10_000
/** Maximum busy share of the time between two checks that counts as idle. */
const MAX_IDLE_SHARE = 0.02
/** Minimum size of the new space that is worth an occasional pause of some 60 ms. */
const WORTH_BYTES = 16 * 2 ** 20
const PAUSE_EVERY_MS = 5 * 60_000

/**
 * Releases memory to the system when idle. V8 retains the new space grown at startup or under load until a major GC, which
 * rarely happens when idle. Returns a function that stops it.
 */
export function giveBackMemory(everyMs = CHECK_INTERVAL_MS): () => void {
  let last = performance.eventLoopUtilization()
  let next = 0
  const look = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const isQuiet = performance.eventLoopUtilization(now, last).utilization <= MAX_IDLE_SHARE
    last = now
    if (!isQuiet || performance.now() < next || roomForNew() <= WORTH_BYTES) return
    next = performance.now() + PAUSE_EVERY_MS
    collect()
  }, everyMs)
  look.unref()
  return () => clearInterval(look)
}

/** Returns the size of V8's new space in bytes, used or not. */
export function roomForNew(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.physical_space_size ?? 0
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  gc({ type: 'major' })
}
