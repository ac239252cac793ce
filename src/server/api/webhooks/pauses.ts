const minute = 60_000
const hour = 60 * minute

/** Pause after each attempt in milliseconds: three days in total. */
const pauses = [
  ...[5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 18 * hour, 22 * hour],
]

/** Returns the time of the next attempt, or null after the last. A tenth of each pause is random. */
export function nextAttempt(tries: number, now: Date, chance = Math.random()): Date | null {
  const pause = pauses[tries - 1]
  return pause === undefined ? null : new Date(now.getTime() + pause * (1 + chance / 10))
}
