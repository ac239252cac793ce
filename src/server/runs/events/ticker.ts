/** Runs callbacks shortly after they are queued, batched with others queued around the same time. */
export type Ticker = { soon: (work: () => void) => void; close: () => void }

/** Maximum time a delta is buffered, in milliseconds. */
export const COALESCE_MS = 25
/** Slots per window. They spread the work of many runs over time. */
const SLOTS = 5

/**
 * Creates one timer for all runs of a process, because a timer per run would cost more than the work. Each run gets its
 * own slot, so that runs do not all write at the same moment. The timer sleeps while nothing is queued.
 */
export function createTicker(windowMs: number = COALESCE_MS): Ticker {
  const slots: (() => void)[][] = Array.from({ length: SLOTS }, () => [])
  let now = 0
  let waiting = 0
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    now = (now + 1) % SLOTS
    const due = slots[now] ?? []
    slots[now] = []
    waiting -= due.length
    for (const work of due) work()
    if (waiting === 0) stop()
  }
  const stop = () => {
    if (timer) clearInterval(timer)
    timer = null
  }
  return {
    soon: (work) => {
      waiting += 1
      // The slot just served is served last in the next round.
      slots[now]?.push(work)
      timer ??= setInterval(tick, windowMs / SLOTS)
    },
    close: () => {
      for (let slot = 0; slot < SLOTS; slot++) tick()
      stop()
    },
  }
}
