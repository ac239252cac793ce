/** Wakes one who waits; a ring that nobody waits for wakes the next one at once. */
export type Alarm = {
  ring: () => void
  /** Resolves at a ring, at the latest after `ms`. */
  wait: (ms: number) => Promise<void>
}

export function createAlarm(): Alarm {
  let hasRung = false
  let wake = () => {}
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    wait: (ms) =>
      new Promise((resolve) => {
        wake = () => {
          clearTimeout(timer)
          hasRung = false
          wake = () => {}
          resolve()
        }
        const timer = setTimeout(() => wake(), ms)
        if (hasRung) wake()
      }),
  }
}
