import { type Rule, type RuleFault, shortestGap } from '#shared/chat/schedules/rule.ts'
import { AppError } from '#shared/platform/errors.ts'
import { dueTimes, isDate, isZone } from './due-times.ts'

type Wish = {
  rule: Rule
  time_zone: string
  now: Date
  min_minutes: number
  /** False when no mailbox is configured. */
  has_mailbox: boolean
}

/** After every date that a rule can name. */
const END = new Date(Date.UTC(10_000, 0, 3))

/** Returns what is wrong with a rule, or null. */
export function findRuleFault({ rule, time_zone, now, min_minutes, has_mailbox }: Wish): RuleFault | null {
  if (rule.kind === 'mail' && !has_mailbox) return 'no_mailbox'
  if (!isZone(time_zone)) return 'unknown_zone'
  if (rule.kind === 'once' && !isDate(rule.date)) return 'impossible_date'
  const gap = shortestGap(rule)
  if (gap !== null && gap < min_minutes * 60) return 'too_often'
  if (rule.kind === 'once' && nextRuns({ rule, time_zone, anchor_at: now }, now, 1).length === 0)
    return 'past'
  return null
}

/** @throws AppError `invalid` with one sentence about what is wrong */
export function assertRule(wish: Wish): void {
  const fault = findRuleFault(wish)
  if (fault) throw new AppError('invalid', sentences[fault](wish))
}

/** @throws AppError `invalid` for an unknown zone or an impossible date. A rule without a next run is accepted. */
export function assertShowable({ rule, time_zone }: Pick<Wish, 'rule' | 'time_zone'>): void {
  const beginning = new Date(0)
  const wish = { rule, time_zone, now: beginning, min_minutes: 0, has_mailbox: true }
  const fault = findRuleFault(wish)
  if (fault === 'unknown_zone' || fault === 'impossible_date')
    throw new AppError('invalid', sentences[fault](wish))
}

const sentences: Record<RuleFault, (wish: Wish) => string> = {
  unknown_zone: ({ time_zone }) => `“${time_zone}” is not a time zone. Use a name such as Europe/Paris.`,
  impossible_date: ({ rule }) => `“${rule.kind === 'once' ? rule.date : ''}” is not a date of the calendar.`,
  no_mailbox: () => 'This installation does not receive mail. An administrator can set up a mailbox.',
  past: () => 'This time has passed. Choose a later one.',
  too_often: ({ min_minutes }) =>
    `This is too often. The shortest time between two runs is ${min_minutes} ${min_minutes === 1 ? 'minute' : 'minutes'}.`,
}

/** Returns the next runs of a rule without a fault. */
export function nextRuns(timed: Parameters<typeof dueTimes>[0], after: Date, limit: number): Date[] {
  return dueTimes(timed, after, END, limit)
}
