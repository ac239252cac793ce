import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest work between two yields, in milliseconds. */
const TURN_MS = 10

/** Returns a function to call between the steps of long work. It yields to the event loop every 10 ms. */
export function giveTurns(): () => Promise<void> {
  let end = performance.now() + TURN_MS
  return async () => {
    if (performance.now() < end) return
    await nextTurn()
    end = performance.now() + TURN_MS
  }
}
