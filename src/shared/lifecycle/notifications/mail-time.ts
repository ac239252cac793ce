import type { NotificationSettings } from './notifications.ts'

type Settings = Pick<
  NotificationSettings,
  'quiet' | 'quiet_weekends' | 'time_zone' | 'only_away' | 'digest_at'
>
type Situation = {
  now: Date
  /** When the oldest waiting notification was written. */
  oldest: Date
  /** Last mail of this kind; null without one. */
  lastSent: Date | null
  isPresent: boolean
  /** Earliest deadline of the waiting questions; null without one. */
  deadline: Date | null
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
/** Mails of one kind within this time are combined. */
const COMBINE_MS = 60 * MINUTE_MS

/**
 * Returns when the waiting notifications of one kind go by mail; at most `now` when they go now. Quiet hours do not delay a
 * question whose deadline is within them.
 */
export function mailTime(
  settings: Settings,
  { now, oldest, lastSent, isPresent, deadline }: Situation,
): Date {
  const times = [now]
  if (settings.digest_at !== null) times.push(nextDigest(settings.digest_at, settings.time_zone, oldest))
  else {
    if (settings.only_away && isPresent) times.push(new Date(now.getTime() + MINUTE_MS))
    if (lastSent) times.push(new Date(lastSent.getTime() + COMBINE_MS))
  }
  const wanted = new Date(Math.max(...times.map((time) => time.getTime())))
  const quietEnd = endOfQuiet(settings, wanted)
  return deadline !== null && deadline <= quietEnd ? wanted : quietEnd
}

/** Returns when a notification goes to the browsers of a person; at most `now` when it goes now. Pushes are not combined. */
export function pushTime(
  settings: Settings,
  situation: Pick<Situation, 'now' | 'isPresent' | 'deadline'>,
): Date {
  return mailTime({ ...settings, digest_at: null }, { ...situation, oldest: situation.now, lastSent: null })
}

/** Returns the first time at or after `from` outside of the quiet hours. */
export function endOfQuiet({ quiet, quiet_weekends, time_zone }: Settings, from: Date): Date {
  // Quiet hours, a weekend and a changed clock may follow each other.
  let time = from
  for (let step = 0; step < 12; step += 1) {
    const { minute, weekday } = localTime(time, time_zone)
    const isWeekend = quiet_weekends && (weekday === 'Sat' || weekday === 'Sun')
    const minutes = isWeekend ? DAY_MINUTES - minute : quiet ? minutesLeft(quiet, minute) : 0
    if (minutes === 0) return time
    time = settle(time, minutes, time_zone, isWeekend ? 0 : (quiet?.until ?? 0))
  }
  return time
}

/** Returns the first time of the daily mail after a moment. */
function nextDigest(digestAt: number, timeZone: string, after: Date): Date {
  const { minute } = localTime(after, timeZone)
  const minutes = (digestAt - minute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  return settle(after, minutes, timeZone, digestAt)
}

/** Adds minutes, and corrects a change of the clock in between, so that the local time is `wanted`. */
function settle(from: Date, minutes: number, timeZone: string, wanted: number): Date {
  const start = Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS
  const end = new Date(start + minutes * MINUTE_MS)
  const off = ((wanted - localTime(end, timeZone).minute + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2
  const corrected = new Date(end.getTime() + off * MINUTE_MS)
  return corrected > from ? corrected : end
}

/** Minutes until the quiet hours end; 0 outside of them. */
function minutesLeft({ from, until }: { from: number; until: number }, minute: number): number {
  const length = (until - from + DAY_MINUTES) % DAY_MINUTES
  const passed = (minute - from + DAY_MINUTES) % DAY_MINUTES
  return passed < length ? length - passed : 0
}

function localTime(time: Date, timeZone: string): { minute: number; weekday: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short', hour: '2-digit', minute: '2-digit' },
  })
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return {
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    weekday: parts.get('weekday') ?? '',
  }
}
