const minute = 60_000
const hour = 60 * minute

/** How long is waited after each attempt, in milliseconds: three days in all. */
const pauses = [
  ...[5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour],
  ...[10 * hour, 14 * hour, 18 * hour, 22 * hour],
]

/** When something is tried again that was tried so often; null when it is not any more. A tenth of each pause is chance. */
export function nextAttempt(tries: number, now: Date, chance = Math.random()): Date | null {
  const pause = pauses[tries - 1]
  return pause === undefined ? null : new Date(now.getTime() + pause * (1 + chance / 10))
}
