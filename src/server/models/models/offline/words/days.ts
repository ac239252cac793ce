import type { Language } from '#shared/platform/primitives.ts'
import { type Token, wordAt } from './tokens.ts'

/** A calendar day as its midnight in UTC. A day that does not exist has its text instead. */
export type Day = { date: Date; isYearGiven: boolean; from: number; to: number }
export type NoDay = { impossible: string; from: number; to: number }

export const DAY_MS = 86_400_000

const months: Record<Language, string[]> = {
  en: 'january february march april may june july august september october november december'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
}
const short: Record<Language, string[]> = {
  en: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  fr: 'janv févr mars avr mai juin juil aout sept oct nov déc'.split(' '),
}
/** Named days, as month and day. */
const feasts: [string, number, number][] = [
  ['christmas eve', 12, 24],
  ['christmas', 12, 25],
  ['noël', 12, 25],
  ['new year s eve', 12, 31],
  ['new year', 1, 1],
  ['nouvel an', 1, 1],
  ['saint sylvestre', 12, 31],
  ['halloween', 10, 31],
  ['valentine', 2, 14],
  ['saint valentin', 2, 14],
]
const shifts: [string, number][] = [
  ['today', 0],
  ['aujourd hui', 0],
  ['day after tomorrow', 2],
  ['après demain', 2],
  ['tomorrow', 1],
  ['demain', 1],
  ['avant hier', -2],
  ['yesterday', -1],
  ['hier', -1],
]

/** Returns midnight of a day in UTC, also for years before 100; null when the day does not exist. */
export function dayOf(year: number, month: number, day: number): Date | null {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isThere = year >= 1 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? date : null
}

export const startOfDay = (now: Date) => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

export const monthAt = (tokens: Token[], at: number, language: Language): number => {
  const word = wordAt(tokens, at)
  const found = [months[language], months.en, months.fr, short[language]].map((names) => names.indexOf(word))
  return Math.max(...found) + 1
}

/** Returns the days that a question names, in order. A day without a year is in the year of `today`. */
export function findDays(tokens: Token[], language: Language, today: Date): (Day | NoDay)[] {
  const found: (Day | NoDay)[] = []
  for (let at = 0; at < tokens.length; ) {
    const day =
      readWritten(tokens, at) ??
      readMonthFirst(tokens, at, language, today) ??
      readDayFirst(tokens, at, language, today) ??
      readWeekday(tokens, at, today) ??
      readNamed(tokens, at, today)
    if (day) found.push(day)
    at = day?.to ?? at + 1
  }
  return found
}

export const isDay = (day: Day | NoDay | undefined): day is Day => day !== undefined && 'date' in day

/** Reads 2026-03-04, and 4/3/2026 with the day first. */
function readWritten(tokens: Token[], at: number): Day | NoDay | null {
  const token = tokens[at]
  if (token?.kind !== 'date') return null
  const [a = 0, b = 0, c = 0] = token.text.split(/[-/.]/).map(Number)
  const place = { from: at, to: at + 1 }
  return make(a > 31 ? dayOf(a, b, c) : dayOf(c, b, a), true, token.text, place)
}

function readDayFirst(tokens: Token[], at: number, language: Language, today: Date): Day | NoDay | null {
  const day = numberAt(tokens, at)
  if (day === null) return null
  const skip = ['st', 'nd', 'rd', 'th', 'er', 'of'].includes(wordAt(tokens, at + 1)) ? 1 : 0
  const skipped = skip + (wordAt(tokens, at + 1 + skip) === 'of' ? 1 : 0)
  const month = monthAt(tokens, at + 1 + skipped, language)
  if (month === 0) return null
  return withYear(tokens, at, at + 2 + skipped, { day, month }, language, today)
}

function readMonthFirst(tokens: Token[], at: number, language: Language, today: Date): Day | NoDay | null {
  const month = monthAt(tokens, at, language)
  const day = numberAt(tokens, at + 1)
  if (month === 0 || day === null || day > 99 || numberAt(tokens, at - 1) !== null) return null
  const skip = ['st', 'nd', 'rd', 'th'].includes(wordAt(tokens, at + 2)) ? 1 : 0
  return withYear(tokens, at, at + 2 + skip, { day, month }, language, today)
}

function withYear(
  tokens: Token[],
  from: number,
  behind: number,
  { day, month }: { day: number; month: number },
  language: Language,
  today: Date,
): Day | NoDay {
  const comma = tokens[behind]
  const skip =
    comma?.kind === 'sign' && comma.sign === ',' && (numberAt(tokens, behind + 1) ?? 0) > 999 ? 1 : 0
  const year = numberAt(tokens, behind + skip)
  const isYearGiven = year !== null && year >= 1 && year <= 9999
  const to = isYearGiven ? behind + skip + 1 : behind
  const name = months[language][month - 1] ?? ''
  const named = `${day} ${language === 'en' ? name[0]?.toUpperCase() + name.slice(1) : name}`
  const date = dayOf(isYearGiven ? year : today.getUTCFullYear(), month, day)
  return make(date, isYearGiven, isYearGiven ? `${named} ${year}` : named, { from, to })
}

function readNamed(tokens: Token[], at: number, today: Date): Day | null {
  const says = (name: string) => name.split(' ').every((word, index) => wordAt(tokens, at + index) === word)
  const lengthOf = (name: string) => name.split(' ').length
  const shift = shifts.find(([name]) => says(name))
  if (shift) {
    const date = new Date(today.getTime() + shift[1] * DAY_MS)
    return { date, isYearGiven: true, from: at, to: at + lengthOf(shift[0]) }
  }
  const feast = feasts.find(([name]) => says(name))
  if (!feast) return null
  const [name, month, day] = feast
  const year = numberAt(tokens, at + lengthOf(name))
  const isYearGiven = year !== null && year > 999 && year <= 9999
  const date = dayOf(isYearGiven ? year : today.getUTCFullYear(), month, day)
  return date && { date, isYearGiven, from: at, to: at + lengthOf(name) + (isYearGiven ? 1 : 0) }
}

const weekdays = [
  ...[
    'sunday dimanche',
    'monday lundi',
    'tuesday mardi',
    'wednesday mercredi',
    'thursday jeudi',
    'friday vendredi',
  ],
  'saturday samedi',
].map((names) => names.split(' '))

/** “next Friday”, « vendredi prochain »: returns the first one after today, or with “last” the last one before it. */
function readWeekday(tokens: Token[], at: number, today: Date): Day | null {
  const [first, second] = [wordAt(tokens, at), wordAt(tokens, at + 1)]
  const find = (word: string) => weekdays.findIndex((names) => names.includes(word))
  const isAhead =
    ['next', 'this', 'coming', 'ce'].includes(first) || ['prochain', 'prochaine'].includes(second)
  const isBack = first === 'last' || ['dernier', 'passé'].includes(second)
  const weekday = Math.max(find(first), find(second))
  if (!(isAhead || isBack) || weekday < 0) return null
  const ahead = (weekday - today.getUTCDay() + 7) % 7 || 7
  const behind = (today.getUTCDay() - weekday + 7) % 7 || 7
  const date = new Date(today.getTime() + (isBack ? -behind : ahead) * DAY_MS)
  return { date, isYearGiven: true, from: at, to: at + 2 }
}

function make(date: Date | null, isYearGiven: boolean, text: string, place: { from: number; to: number }) {
  return date ? { date, isYearGiven, ...place } : { impossible: text, ...place }
}

function numberAt(tokens: Token[], at: number): number | null {
  const token = tokens[at]
  const value = token?.kind === 'number' ? Number(token.value) : Number.NaN
  return Number.isInteger(value) ? value : null
}

/** Returns “Friday, 3 April 2026”, or « vendredi 3 avril 2026 ». */
export function writeDay(date: Date, language: Language): string {
  const named = (part: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...part, timeZone: 'UTC' }).format(date)
  const weekday = named({ weekday: 'long' })
  return language === 'fr'
    ? `${weekday} ${writeDate(date, language)}`
    : `${weekday}, ${writeDate(date, language)}`
}

export function writeDate(date: Date, language: Language): string {
  const day = date.getUTCDate()
  const month = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(date)
  return `${language === 'fr' && day === 1 ? '1er' : day} ${month} ${date.getUTCFullYear()}`
}
