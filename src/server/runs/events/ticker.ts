import { createPace } from './pace.ts'

/** Runs callbacks shortly after they are queued, batched with others queued around the same time. */
export type Ticker = { soon: (work: () => void) => void; close: () => void }

/** Maximum time a delta is buffered, in milliseconds. */
export const COALESCE_MS = 25
/** Slots per window. They spread the work of many runs over time. */
const SLOTS = 5

/**
 * Creates one ticker for all runs of a process. While few callbacks are queued, they run in the same turn of the event loop.
 * Under load they wait for a window, which merges deltas. One timer serves all, because a timer per run would cost more than the
 * work. Each run gets its own slot, so that runs do not all write at the same moment. The timer sleeps while nothing is queued.
 */
export function createTicker(windowMs: number = COALESCE_MS): Ticker {
  const slots: (() => void)[][] = Array.from({ length: SLOTS }, () => [])
  const pace = createPace()
  let now = 0
  let waiting = 0
  let timer: NodeJS.Timeout | null = null
  let prompt: (() => void)[] = []
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
  const runPrompt = () => {
    const due = prompt
    prompt = []
    for (const work of due) work()
  }
  return {
    soon: (work) => {
      if (pace.isLight(performance.now())) {
        if (prompt.push(work) === 1) setImmediate(runPrompt)
        return
      }
      waiting += 1
      // The slot just served is served last in the next round.
      slots[now]?.push(work)
      timer ??= setInterval(tick, windowMs / SLOTS)
    },
    close: () => {
      runPrompt()
      for (let slot = 0; slot < SLOTS; slot++) tick()
      stop()
    },
  }
}
