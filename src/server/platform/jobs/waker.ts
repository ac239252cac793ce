/** A runner of some kinds of jobs. */
export type Sleeper = {
  kinds: readonly string[]
  /** Returns whether it has a free place. */
  isIdle: () => boolean
  /** Makes it look for this many jobs immediately. */
  wake: (count: number) => void
}

export type Waker = {
  /** Adds a runner. Returns the function that removes it. */
  join: (sleeper: Sleeper) => () => void
  /** Looks for jobs that can begin, and wakes the idle runners of their kinds. */
  look: () => void
}

/** Returns the number of jobs that can begin, by kind. Kinds without one are omitted. */
export type CountReady = (kinds: readonly string[]) => Promise<Map<string, number>>

const FIRST_RETRY_MS = 20
/** Later, the next poll of the runner takes the job. */
const MAX_RETRY_MS = 1_000

/**
 * Creates the waker of all runners of a process. A runner that asks for a job locks every free queue for a moment, which hides
 * them from others that ask at the same time. So only runners with a job to take are woken, and again until none is left.
 */
export function createWaker(countReady: CountReady): Waker {
  const sleepers = new Set<Sleeper>()
  let isLooking = false
  let isAskedAgain = false
  let retry: NodeJS.Timeout | undefined

  const wakeReady = async (): Promise<boolean> => {
    const idle = [...sleepers].filter(({ isIdle }) => isIdle())
    if (idle.length === 0) return false
    const ready = await countReady(idle.flatMap(({ kinds }) => kinds)).catch(() => new Map<string, number>())
    for (const sleeper of idle) {
      const count = sleeper.kinds.reduce((sum, kind) => sum + (ready.get(kind) ?? 0), 0)
      if (count > 0 && sleepers.has(sleeper)) sleeper.wake(count)
    }
    return ready.size > 0
  }
  const lookAgainAfter = (ms: number) => {
    if (ms > MAX_RETRY_MS || sleepers.size === 0) return
    retry = setTimeout(() => void search(ms * 2), ms).unref()
  }
  const search = async (nextMs: number): Promise<void> => {
    clearTimeout(retry)
    if (isLooking) {
      isAskedAgain = true
      return
    }
    isLooking = true
    const isFound = await wakeReady()
    isLooking = false
    if (isAskedAgain) {
      isAskedAgain = false
      return search(FIRST_RETRY_MS)
    }
    if (isFound) lookAgainAfter(nextMs)
  }
  return {
    join: (sleeper) => {
      sleepers.add(sleeper)
      return () => {
        sleepers.delete(sleeper)
        if (sleepers.size === 0) clearTimeout(retry)
      }
    },
    look: () => void search(FIRST_RETRY_MS),
  }
}
