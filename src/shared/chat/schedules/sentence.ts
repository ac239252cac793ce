import { localeOf } from '../../platform/locale.ts'
import type { Language } from '../../platform/primitives.ts'
import { type EventRule, isEvent, LAST_DAY, type Rule, type TimeRule } from './rule.ts'

/** Texts with `{{…}}` for values. */
export type SentenceTexts = {
  once: string
  units: Record<'seconds' | 'minutes' | 'hours' | 'days', { one: string; other: string }>
  days: string
  weekdays: string
  every_day: string
  month_days: string
  month_day: string
  /** The first day of a month. */
  first_day: string
  last_day: string
  events: Record<EventRule['kind'], string>
}

const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

/** Returns a rule as a sentence, such as “Every Monday at 08:00, Europe/Paris”. */
export function sentenceOf(rule: Rule, zone: string, language: Language, texts: SentenceTexts): string {
  if (isEvent(rule)) return texts.events[rule.kind]
  return `${capital(clauseOf(rule, language, texts))}, ${zone}`
}

function clauseOf(rule: TimeRule, language: Language, texts: SentenceTexts): string {
  switch (rule.kind) {
    case 'once':
      return fill(texts.once, { date: dateOf(rule.date, language), time: rule.time })
    case 'interval':
      return intervalOf(rule.count, rule.unit, texts)
    case 'days':
      return fill(texts.days, { days: intervalOf(rule.count, 'days', texts), time: rule.time })
    case 'weekdays': {
      const days = [...new Set(rule.days)].sort((a, b) => a - b)
      if (days.length === 7) return fill(texts.every_day, { time: rule.time })
      const names = days.map((day) => weekdayOf(day, language))
      return fill(texts.weekdays, { days: list(names, language), time: rule.time })
    }
    case 'month_days':
      return fill(texts.month_days, { days: list(monthDays(rule.days, texts), language), time: rule.time })
    default:
      return rule satisfies never
  }
}

function monthDays(days: number[], texts: SentenceTexts): string[] {
  const place = (day: number) => (day === LAST_DAY ? 32 : day)
  return [...new Set(days)]
    .sort((a, b) => place(a) - place(b))
    .map((day) => {
      if (day === LAST_DAY) return texts.last_day
      return day === 1 ? texts.first_day : fill(texts.month_day, { day: String(day) })
    })
}

function intervalOf(count: number, unit: keyof SentenceTexts['units'], texts: SentenceTexts): string {
  const { one, other } = texts.units[unit]
  return count === 1 ? one : fill(other, { count: String(count) })
}

/** Returns the name of a weekday; 1 is Monday. */
export function weekdayOf(day: number, language: Language, width: 'long' | 'short' = 'long'): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { weekday: width, timeZone: 'UTC' })
  return format.format(MONDAY + (day - 1) * DAY_MS)
}

/** The date of a rule may be impossible; it is shown as written then. */
function dateOf(date: string, language: Language): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(time)) return date
  const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' })
  return language === 'fr' ? format.format(time).replace(/^1 /, '1er ') : format.format(time)
}

function list(names: string[], language: Language): string {
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(names)
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
