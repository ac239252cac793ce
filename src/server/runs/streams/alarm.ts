/** Wakes a waiting loop with the names of what changed. A ring without a waiter ends the next wait immediately. */
export type Alarm = {
  /** Rings with the names of what changed, or null when they are unknown. */
  ring: (names: string[] | null) => void
  /** Resolves at the next ring or after `ms`, with all names since the last wait. Returns null when a ring had none. */
  wait: (ms: number) => Promise<Set<string> | null>
}

export function createAlarm(): Alarm {
  let names: Set<string> | null = new Set()
  let wake: (() => void) | null = null
  const take = () => {
    const taken = names
    names = new Set()
    return taken
  }
  return {
    ring: (added) => {
      if (added === null) names = null
      else for (const name of added) names?.add(name)
      wake?.()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        wake = () => {
          clearTimeout(timer)
          wake = null
          resolve(take())
        }
        const timer = setTimeout(wake, ms)
        if (names?.size !== 0) wake()
      }),
  }
}
