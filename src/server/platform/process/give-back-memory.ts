import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often it is looked whether all is quiet. V8 gives room back where little was made in the five seconds before. */
const LOOK_EVERY_MS = 10_000
/** At most this share of the time between two looks something was done. */
const QUIET = 0.02
/** Room for new objects that is worth a pause of some 60 ms, once in a while. */
const WORTH_BYTES = 32 * 2 ** 20
const PAUSE_EVERY_MS = 5 * 60_000

/**
 * Gives memory back to the machine once all is quiet. The room that a start or a busy hour took for new objects stays with V8 until everything
 * is collected, and where little is done that is never. The answer ends it.
 */
export function giveBackMemory(everyMs = LOOK_EVERY_MS): () => void {
  let last = performance.eventLoopUtilization()
  let next = 0
  const look = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const isQuiet = performance.eventLoopUtilization(now, last).utilization <= QUIET
    last = now
    if (!isQuiet || performance.now() < next || roomForNew() <= WORTH_BYTES) return
    next = performance.now() + PAUSE_EVERY_MS
    collect()
  }, everyMs)
  look.unref()
  return () => clearInterval(look)
}

/** Bytes that are held for new objects, used or not. */
export function roomForNew(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.physical_space_size ?? 0
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  gc({ type: 'major' })
}
