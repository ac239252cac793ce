/** A limited number of places, granted in order of request. */
export type Places = {
  /** Waits for a place. @throws the reason of `signal` */
  enter(signal: AbortSignal): Promise<void>
  leave(): void
}

export function createPlaces(most: number): Places {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    enter: async (signal) => {
      signal.throwIfAborted()
      if (taken < most) taken += 1
      else await turn(waiting, signal)
    },
    leave: () => {
      const next = waiting.shift()
      if (next) next()
      else taken -= 1
    },
  }
}

/** Waits until called, or until the signal is aborted. */
function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp)
    waiting.push(go)
  })
}
