/** The groups of the history, newest first. */
const historyGroups = ['last_7_days', 'past_month', 'past_3_months', 'past_year', 'older'] as const
export type HistoryGroup = (typeof historyGroups)[number]

/** Date of a row: a translated word, or text in the given language. */
export type DateWords = { word: 'today' | 'yesterday' } | { text: string }

/** Returns the group of an ISO timestamp, by calendar days of the local time zone. */
export function groupOf(timestamp: string, now: Date): HistoryGroup {
  const date = new Date(timestamp)
  if (daysAgo(date, now) < 7) return 'last_7_days'
  if (date >= monthsBefore(now, 1)) return 'past_month'
  if (date >= monthsBefore(now, 3)) return 'past_3_months'
  if (date >= monthsBefore(now, 12)) return 'past_year'
  return 'older'
}

/**
 * Returns today, yesterday, the weekday of the five days before that, otherwise the day and month, with the year if it
 * differs. A future time counts as today.
 */
export function dateWords(timestamp: string, now: Date, language: string): DateWords {
  const date = new Date(timestamp)
  const days = daysAgo(date, now)
  if (days <= 0) return { word: 'today' }
  if (days === 1) return { word: 'yesterday' }
  // The seventh day back has the same weekday as today.
  if (days < 7) return { text: capitalise(format(date, language, { weekday: 'long' }), language) }
  if (date.getFullYear() === now.getFullYear())
    return { text: format(date, language, { day: 'numeric', month: 'short' }) }
  return { text: format(date, language, { day: 'numeric', month: 'short', year: 'numeric' }) }
}

/** Returns the number of midnights between a time and now, in the local time zone. */
function daysAgo(date: Date, now: Date): number {
  const midnight = (day: Date) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate())
  return Math.round((midnight(now) - midnight(date)) / 86_400_000)
}

/** Returns the start of the day `months` before now; the last day of a shorter month. */
function monthsBefore(now: Date, months: number): Date {
  const day = new Date(now.getFullYear(), now.getMonth() - months, 1)
  const lastDay = new Date(day.getFullYear(), day.getMonth() + 1, 0).getDate()
  day.setDate(Math.min(now.getDate(), lastDay))
  return day
}

function format(date: Date, language: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(date)
}

/** Capitalizes a weekday that stands alone, also in French. */
function capitalise(word: string, language: string): string {
  return word.charAt(0).toLocaleUpperCase(language) + word.slice(1)
}
