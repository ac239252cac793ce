type Waiting = { tell: (place: number) => void; begin: () => void }

/** Creates a first-in, first-out queue that runs one request at a time and reports their place to waiting requests. */
export function createQueue() {
  const waiting: Waiting[] = []
  let isBusy = false
  const tellPlaces = () => {
    for (const [at, one] of waiting.entries()) one.tell(at + 1)
  }
  const enter = async (signal: AbortSignal, tell: (place: number) => void): Promise<void> => {
    if (!isBusy) {
      isBusy = true
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry = { tell, begin: resolve }
    waiting.push(entry)
    tell(waiting.length)
    const leave = () => {
      const at = waiting.indexOf(entry)
      if (at < 0) return
      waiting.splice(at, 1)
      tellPlaces()
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }
  return {
    /** Waits for its turn, then calls `work`. `tell` gets the number of requests ahead, 0 at the start. @throws the reason of `signal` */
    async run(signal: AbortSignal, tell: (place: number) => void, work: () => Promise<void>): Promise<void> {
      signal.throwIfAborted()
      await enter(signal, tell)
      try {
        tell(0)
        await work()
      } finally {
        const next = waiting.shift()
        if (next) next.begin()
        else isBusy = false
        tellPlaces()
      }
    },
  }
}
