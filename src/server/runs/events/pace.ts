/** Measures the rate of sends of a process. */
export type Pace = {
  /** Counts one send at this time in milliseconds. Returns whether sends are few enough to need no merging. */
  isLight: (now: number) => boolean
}

const PERIOD_MS = 100
/** Sends per period above which they are merged: the rate of 80 replies of 40 tokens per second. */
const MAX_LIGHT = 320
/** Sends per period below which they are no longer merged. Lower, so that a steady rate does not switch back and forth. */
const MIN_HEAVY = 260

/** Creates a measurement that starts light. Every period decides about the next one. */
export function createPace(): Pace {
  let began = Number.NEGATIVE_INFINITY
  let count = 0
  let isLight = true
  return {
    isLight: (now) => {
      const elapsed = now - began
      if (elapsed >= PERIOD_MS) {
        const perPeriod = (count * PERIOD_MS) / elapsed
        isLight = perPeriod <= (isLight ? MAX_LIGHT : MIN_HEAVY)
        began = now
        count = 0
      }
      count += 1
      // A sudden burst does not wait for the end of its period.
      if (count > MAX_LIGHT) isLight = false
      return isLight
    },
  }
}
