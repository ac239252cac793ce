/** Calls what asked for it a moment later, together with all that asked at about the same time. */
export type Ticker = { soon: (work: () => void) => void; close: () => void }

/** Deltas wait at most this long for their neighbours, in milliseconds. */
export const COALESCE_MS = 25
/** The moments in which the window is cut: the work of many runs is spread over them. */
const SLOTS = 5

/**
 * One timer for all runs of a process, because a timer per run would cost more than the work. Everyone waits a
 * window of their own, so that runs do not all write at the same moment; the timer sleeps while nobody waits.
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
      // The slot that has just been served comes around last.
      slots[now]?.push(work)
      timer ??= setInterval(tick, windowMs / SLOTS)
    },
    close: () => {
      for (let slot = 0; slot < SLOTS; slot++) tick()
      stop()
    },
  }
}
