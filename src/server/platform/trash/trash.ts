export { readTrashDays, writeTrashDays } from './rule-store.ts'

const DAY_MS = 86_400_000

/** Returns the time before which things in the trash are deleted; never less than `leastMs` ago. */
export function trashLimit(now: Date, days: number, leastMs = 0): Date {
  return new Date(now.getTime() - Math.max(days * DAY_MS, leastMs))
}
