import type { TFunction } from '../../../../platform/i18n/i18n.ts'

const HOUR = 60
const DAY = 24 * HOUR
const deadlines = [15, HOUR, 4 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY]
const deputyTimes = [0, 15, HOUR, 4 * HOUR, DAY, 3 * DAY]

/** Returns the deadlines to choose from, with the current one. */
export const deadlinesWith = (current: number): number[] => sorted([...deadlines, current])

/** Returns the times after which a deputy may approve, with the current one, before the deadline. */
export const deputyTimesWith = (current: number, deadline: number): number[] =>
  sorted([...deputyTimes, current]).filter((minutes) => minutes < deadline)

const sorted = (minutes: number[]) => [...new Set(minutes)].sort((one, other) => one - other)

export function durationText(t: TFunction, minutes: number): string {
  if (minutes % DAY === 0 && minutes > 0) return t('admin:approvals.days', { count: minutes / DAY })
  if (minutes % HOUR === 0 && minutes > 0) return t('admin:approvals.hours', { count: minutes / HOUR })
  return t('admin:approvals.minutes', { count: minutes })
}
