import { say } from '../phrases.ts'
import { wallClock, writeZone } from '../places/zoned.ts'
import {
  DAY_MS,
  type Day,
  dayOf,
  findDays,
  isDay,
  monthAt,
  startOfDay,
  writeDate,
  writeDay,
} from '../words/days.ts'
import { writeNumber } from '../words/numerals.ts'
import { readTokens, type Token, wordAt } from '../words/tokens.ts'
import type { Answer, Question } from './skill.ts'

/** Answers questions for the days between two dates, the weekday of a date, the date in some weeks, and today's date. */
export function answerDates(question: Question): Answer | null {
  const { tokens, language, now, zone } = question
  if (tokens.length === 0 || tokens.length > mostTokens) return null
  const today = startOfDay(wallClock(now, zone ?? 'UTC'))
  const days = findDays(tokens, language, today)
  const words = new Set(tokens.flatMap((token) => (token.kind === 'word' ? [token.word] : [])))
  const asks: Asked = { ...question, today, words, days: days.filter(isDay) }
  if (!isAsked(asks) || has(words, HISTORY)) return null
  const none = days.find((day) => !isDay(day))
  if (none && !isDay(none)) return { text: say(language, 'no_day', none.impossible) }
  return tellLength(asks) ?? countDays(asks) ?? shiftDay(asks) ?? tellLeap(asks) ?? tellWeekday(asks)
}

const mostTokens = 40
/** Words of questions about events on a day. */
const HISTORY =
  'who whom whose did does die died dies born happen happened happens won invented founded discovered started start begins began ended wrote why where ' +
  'weather news qui mort morte né née mourut passé arrivé gagné inventé fondé découvert commence commencé fini écrit pourquoi où météo actualités'

/** Returns whether a question is about a day rather than mentions one. */
const isAsked = ({ words, tokens }: { words: Set<string>; tokens: Token[] }) =>
  has(words, 'what which how is weekday date quel quelle combien est date on leap') || tokens.length <= short

/** Questions this short need no question word: “90 days after 1 March 2026”. */
const short = 9

type Asked = Question & { today: Date; words: Set<string>; days: Day[] }

const has = (words: Set<string>, list: string) => list.split(' ').some((word) => words.has(word))
/** Returns the words of a question as one string, for patterns of word order. */
const inRow = (tokens: Token[]) => tokens.map((_, at) => wordAt(tokens, at)).join(' ')

/** Answers “How many days has February 2028?” */
function tellLength({ tokens, words, language, today, days }: Asked): Answer | null {
  if (!has(words, 'days jours') || !has(words, 'how combien') || days.length > 0) return null
  const at = tokens.findIndex((_, index) => monthAt(tokens, index, language) > 0)
  if (at < 0) return null
  const month = monthAt(tokens, at, language)
  const next = tokens[at + 1]
  const year = next?.kind === 'number' ? Number(next.value) : today.getUTCFullYear()
  const first = dayOf(year, month, 1)
  if (!first) return null
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(first)
  return {
    text: say(
      language,
      'month_length',
      `${name.charAt(0).toUpperCase()}${name.slice(1)} ${year}`,
      String(length),
    ),
    number: String(length),
  }
}

/** Working days depend on a country's holidays. */
const WORKING = 'working business workdays school ouvrés ouvrables travaillés'
/** Questions this short need no question word: “days till Christmas”. */
const BRIEF = 6

function countDays({ words, days, language, today, tokens }: Asked): Answer | null {
  if (!has(words, 'days weeks jours semaines long temps sleeps dodos nuits') || has(words, WORKING))
    return null
  if (!has(words, 'how combien') && tokens.length > BRIEF) return null
  const [first, second] = days
  const isSpan =
    has(words, 'between from until till since before to entre du depuis jusqu avant d ici') ||
    /^dans combien de jours/.test(inRow(tokens))
  if (!first || days.length > 2 || !isSpan || findSpan(tokens)) return null
  const [from, to] = second ? inOrder(first, second) : [today, nextOrGiven(first, words, today)]
  if (Math.abs(to.getTime() - from.getTime()) > 9999 * 366 * DAY_MS) return null
  const count = Math.round(Math.abs(to.getTime() - from.getTime()) / DAY_MS)
  const isWeeks = has(words, 'weeks semaines') && !has(words, 'days jours')
  const length = isWeeks ? writeWeeks(count, language) : writeDays(count, language)
  const [start, end] = from <= to ? [from, to] : [to, from]
  const phrase = count === 1 && !isWeeks ? 'between_one' : 'between'
  const text = say(language, phrase, length, writeDate(start, language), writeDate(end, language))
  return { text, number: String(count) }
}

/** Puts a second day without a year after the first. */
function inOrder(first: Day, second: Day): [Date, Date] {
  if (first.isYearGiven && second.isYearGiven) return [first.date, second.date]
  const move = (day: Day, year: number) =>
    dayOf(year, day.date.getUTCMonth() + 1, day.date.getUTCDate()) ?? day.date
  if (second.isYearGiven) {
    const moved = move(first, second.date.getUTCFullYear())
    return [moved > second.date ? move(first, second.date.getUTCFullYear() - 1) : moved, second.date]
  }
  const moved = move(second, first.date.getUTCFullYear())
  return [first.date, moved < first.date ? move(second, first.date.getUTCFullYear() + 1) : moved]
}

/** Returns the next such day when no year is given, or the last one with “since”. */
function nextOrGiven({ date, isYearGiven }: Day, words: Set<string>, today: Date): Date {
  if (isYearGiven) return date
  const [year, isSince] = [today.getUTCFullYear(), has(words, 'since depuis')]
  const other = isSince ? year - 1 : year + 1
  if (isSince ? date <= today : date >= today) return date
  return dayOf(other, date.getUTCMonth() + 1, date.getUTCDate()) ?? date
}

const writeDays = (count: number, language: Question['language']) =>
  `${writeNumber(String(count), language)} ${language === 'fr' ? (count < 2 ? 'jour' : 'jours') : count === 1 ? 'day' : 'days'}`

function writeWeeks(count: number, language: Question['language']): string {
  const weeks = Math.floor(count / 7)
  const names = language === 'fr' ? ['semaine', 'semaines'] : ['week', 'weeks']
  const isOne = language === 'fr' ? weeks < 2 : weeks === 1
  const written = `${writeNumber(String(weeks), language)} ${names[isOne ? 0 : 1]}`
  const and = language === 'fr' ? 'et' : 'and'
  return count % 7 === 0 ? written : `${written} ${and} ${writeDays(count % 7, language)}`
}

type Span = { count: number; unit: 'day' | 'week' | 'month' | 'year'; at: number }
const spans: [Span['unit'], string][] = [
  ['day', 'day days jour jours'],
  ['week', 'week weeks semaine semaines'],
  ['month', 'month months mois'],
  ['year', 'year years an ans année années'],
]

function findSpan(tokens: Token[]): Span | null {
  for (const [at, token] of tokens.entries()) {
    const next = wordAt(tokens, at + 1)
    const unit = spans.find(([, names]) => names.split(' ').includes(next))?.[0]
    if (token.kind === 'number' && unit) return { count: Number(token.value), unit, at }
  }
  return null
}

const dayWords = new Set(['day', 'date', 'weekday', 'jour'])

/** Answers “in 3 weeks”, “10 days ago”, “90 days after 1 March”. */
function shiftDay(asked: Asked): Answer | null {
  const { tokens, words, days, today, language } = asked
  const span = findSpan(tokens)
  const [start] = days
  const isBack =
    has(words, 'ago before') || words.has('avant') || (words.has('il') && words.has('a') && words.has('y'))
  const isOn = has(words, 'in dans after from après later plus')
  const others = tokens.filter(
    (token, at) => token.kind === 'number' && !days.some((day) => at >= day.from && at < day.to),
  )
  if (!span || days.length > 1 || others.length > 1 || !(isBack || isOn)) return null
  const asks = tokens.some((_, at) => at !== span.at + 1 && dayWords.has(wordAt(tokens, at)))
  if (!Number.isInteger(span.count) || !(asks || tokens.length <= short)) return null
  const date = move(start?.date ?? today, isBack ? { ...span, count: -span.count } : span)
  const year = date.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return { text: say(language, 'too_far') }
  return {
    text: say(
      language,
      date < today ? 'was_day' : date > today ? 'will_be_day' : 'is_day',
      writeDay(date, language),
      zoneOf(asked),
    ),
  }
}

/** Months and years keep the day, up to the end of the month: 31 January plus a month is 28 February. */
function move(from: Date, { count, unit }: Span): Date {
  if (unit === 'day' || unit === 'week')
    return new Date(from.getTime() + count * (unit === 'week' ? 7 : 1) * DAY_MS)
  const months = from.getUTCMonth() + count * (unit === 'year' ? 12 : 1)
  const last = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(from.getUTCFullYear(), months, Math.min(from.getUTCDate(), last)))
}

function tellLeap({ tokens, words, language }: Asked): Answer | null {
  if (!has(words, 'leap bissextile')) return null
  const year = tokens.flatMap((token) => (token.kind === 'number' ? [Number(token.value)] : []))[0]
  if (year === undefined || !Number.isInteger(year) || year < 1 || year > 9999) return null
  return { text: say(language, dayOf(year, 2, 29) ? 'leap' : 'no_leap', String(year)) }
}

const asksWeekday =
  /(?:what|which) (?:day|date|weekday)|day of the week|weekday|s date$|(?:is|s) the (?:date of|day (?:before|after) |date )|quel(?:le)? (?:jour|date)|jour de la semaine|quelle (?:est|était|sera) la date/
const asksToday =
  /^(?:what|which) (?:day|date|day of the week) (?:is it|is today|are we)(?: today| now)?$|^what(?: is| s) (?:today|the date|the day|today s date|today s day|the current date)(?: today)?$|^(?:today s date|date today|(?:the )?date)$|^(?:quel jour|quelle date|quel jour de la semaine) (?:sommes nous|est on|est il|on est|nous sommes)(?: aujourd hui)?$|^c est quoi la date(?: d aujourd hui| du jour)?$|^(?:on est|nous sommes) (?:quel jour|le combien|quelle date)(?: aujourd hui)?$|^quelle est la date(?: d aujourd hui| du jour| aujourd hui)?$|^(?:la )?date (?:du jour|d aujourd hui)$|^quel est le jour(?: d aujourd hui| de la semaine)?$/

/** Answers with the weekday of a date, of the date in the previous answer, or of today. */
function tellWeekday(asked: Asked): Answer | null {
  const { words, days, today, tokens, language, before } = asked
  const row = inRow(tokens).trim()
  if (asksToday.test(row)) return { text: say(language, 'is_day', writeDay(today, language), zoneOf(asked)) }
  const numbers = tokens.filter(
    (token, at) => token.kind === 'number' && !days.some((day) => at >= day.from && at < day.to),
  )
  if (!asksWeekday.test(row) || days.length > 1 || numbers.length > 0) return null
  const [day] = days
  if (day) {
    const isToday = day.date.getTime() === today.getTime()
    const phrase = isToday ? 'is_day' : day.date < today ? 'was_day' : 'will_be_day'
    return { text: say(language, phrase, writeDay(day.date, language), zoneOf(asked)) }
  }
  if (!has(words, 'it that this ce cela ça')) return null
  const spokenOf = before && lastDay(before.text, language, today)
  if (spokenOf) return { text: say(language, 'weekday', writeDay(spokenOf, language)) }
  return null
}

/** Returns the time zone that decides which day is today. */
const zoneOf = ({ now, zone }: Asked) => (zone ? writeZone(now, zone) : 'UTC')

function lastDay(text: string, language: Question['language'], today: Date): Date | null {
  return findDays(readShort(text, language), language, today).filter(isDay).at(-1)?.date ?? null
}

const readShort = (text: string, language: Question['language']) => readTokens(text.slice(-300), language)
