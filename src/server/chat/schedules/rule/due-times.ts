import { Temporal } from 'temporal-polyfill'
import { LAST_DAY, type Rule, type TimeRule } from '#shared/chat/schedules/rule.ts'

/** A rule in its zone. Intervals count from the anchor. */
export type Timed = { rule: Rule; time_zone: string; anchor_at: Date }

const UNIT_MS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 } as const

/**
 * Returns the times after `after` and up to `until` at which a rule is due, in order, at most `limit`. A time that a clock
 * change skips becomes the moment of the change; of a repeated time only the first counts.
 */
export function dueTimes(timed: Timed, after: Date, until: Date, limit: number): Date[] {
  const { rule, time_zone } = timed
  switch (rule.kind) {
    case 'once':
      return [instantOf(Temporal.PlainDate.from(rule.date), rule.time, time_zone)].filter(
        (at) => at > after && at <= until,
      )
    case 'interval':
      return intervalTimes(timed.anchor_at, rule.count * UNIT_MS[rule.unit], { after, until, limit })
    case 'call':
    case 'document':
    case 'connector_document':
    case 'schedule_run':
    case 'project_run':
    case 'mail':
      return []
    default:
      return calendarTimes(timed, rule, { after, until, limit })
  }
}

type Window = { after: Date; until: Date; limit: number }

function intervalTimes(anchor: Date, step: number, { after, until, limit }: Window): Date[] {
  const first = Math.max(1, Math.floor((after.getTime() - anchor.getTime()) / step) + 1)
  const times: Date[] = []
  for (let at = anchor.getTime() + first * step; at <= until.getTime() && times.length < limit; at += step)
    times.push(new Date(at))
  return times
}

type CalendarRule = Exclude<TimeRule, { kind: 'once' | 'interval' }>

function calendarTimes({ time_zone, anchor_at }: Timed, rule: CalendarRule, window: Window): Date[] {
  const { after, until, limit } = window
  const last = dateIn(until, time_zone).add({ days: 1 })
  const step = rule.kind === 'days' ? rule.count : 1
  const times: Date[] = []
  // A day earlier, because a clock change may move a time over midnight.
  const earliest = dateIn(after, time_zone).subtract({ days: 1 })
  let date = rule.kind === 'days' ? firstOf(dateIn(anchor_at, time_zone), step, earliest) : earliest
  while (times.length < limit && Temporal.PlainDate.compare(date, last) <= 0) {
    if (isDay(rule, date)) {
      const at = instantOf(date, rule.time, time_zone)
      if (at > after && at <= until) times.push(at)
    }
    date = date.add({ days: step })
  }
  return times
}

/** Returns the first date of every `step` days since `start` that is not before `earliest`. */
function firstOf(start: Temporal.PlainDate, step: number, earliest: Temporal.PlainDate): Temporal.PlainDate {
  const passed = start.until(earliest, { largestUnit: 'days' }).days
  return start.add({ days: Math.max(0, Math.ceil(passed / step)) * step })
}

function isDay(rule: CalendarRule, date: Temporal.PlainDate): boolean {
  if (rule.kind === 'days') return true
  if (rule.kind === 'weekdays') return rule.days.includes(date.dayOfWeek)
  return rule.days.includes(date.day) || (rule.days.includes(LAST_DAY) && date.day === date.daysInMonth)
}

/** Returns the moment of a wall clock time. */
export function instantOf(date: Temporal.PlainDate, time: string, zone: string): Date {
  const wall = date.toPlainDateTime(Temporal.PlainTime.from(time))
  const found = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const isSkipped = !found.toPlainDateTime().equals(wall)
  const moment = isSkipped ? (found.getTimeZoneTransition('next') ?? found) : found
  return new Date(moment.epochMilliseconds)
}

function dateIn(moment: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone).toPlainDate()
}

/** Returns whether the zone is one of the IANA database. Offsets such as `+02:00` are refused. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
    return true
  } catch {
    return false
  }
}

/** Returns whether a text is a day of the calendar, as year-month-day. */
export function isDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}

/** Returns today in a zone as year-month-day. */
export function todayIn(moment: Date, zone: string): string {
  return dateIn(moment, zone).toString()
}
