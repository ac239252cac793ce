/** Wakes one who waits, with what is new; a ring that nobody waits for wakes the next one at once. */
export type Alarm = {
  /** With the names of what is new, or null when they are not known. */
  ring: (names: string[] | null) => void
  /** Resolves at a ring, at the latest after `ms`: with the names of all rings since the last time, or null when one had none. */
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
