/** Calls everything that asked for it, together, once per interval; sleeps while nobody asks. */
export type Ticker = { soon: (work: () => void) => void; close: () => void }

/** Deltas wait at most this long for their neighbours, in milliseconds. */
export const COALESCE_MS = 25

/** One timer for all runs of a process: a timer per run would cost more than the work. */
export function createTicker(intervalMs: number = COALESCE_MS): Ticker {
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    if (waiting.length === 0) return stop()
    const due = waiting
    waiting = []
    for (const work of due) work()
  }
  const stop = () => {
    if (timer) clearInterval(timer)
    timer = null
  }
  return {
    soon: (work) => {
      waiting.push(work)
      timer ??= setInterval(tick, intervalMs)
    },
    close: () => {
      tick()
      stop()
    },
  }
}
