import { say } from '../phrases.ts'
import { plainWords } from '../places/places.ts'
import { wallClock, writeZone } from '../places/zoned.ts'
import { DAY_MS, dayOf, startOfDay, writeDay } from '../words/days.ts'
import type { Answer, Question } from './skill.ts'

const MAX_LENGTH = 120

/** Answers questions for the current year, month and week, a weekday, the day of a feast, and the age for a year of birth. */
export function answerCalendar({ text, language, now, zone }: Question): Answer | null {
  if (text.length > MAX_LENGTH) return null
  const row = plainWords(text)
    .filter((word) => !POLITE.has(word))
    .join(' ')
  const today = startOfDay(wallClock(now, zone ?? 'UTC'))
  const year = today.getUTCFullYear()
  if (YEAR_NOW.test(row)) return { text: say(language, 'year_now', String(year)), number: String(year) }
  if (MONTH_NOW.test(row)) {
    const month = new Intl.DateTimeFormat(language, {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(today)
    return { text: say(language, 'month_now', month) }
  }
  if (WEEK_NOW.test(row)) {
    const [week, of] = weekOf(today)
    return { text: say(language, 'week_now', String(week), String(of)), number: String(week) }
  }
  if (IS_WEEKDAY.some((pattern) => pattern.test(row)))
    return { text: say(language, 'is_day', writeDay(today, language), zone ? writeZone(now, zone) : 'UTC') }
  return (
    tellYears(row, language) ??
    tellDaysOfYear(row, language) ??
    tellLeft(row, today, language) ??
    tellFeast(row, today, language) ??
    tellAge(row, year, language)
  )
}

const POLITE = new Set(
  'please hello hi hey bonjour salut svp stp ok so alors dis moi tell me can you could peux tu pouvez vous do know sais savez'.split(
    ' ',
  ),
)
const YEAR_NOW =
  /^(?:(?:what|which) (?:year|s the year)(?: is (?:it|this)| are we in)?(?: now| today| currently)?|what is the (?:current )?year|the (?:current )?year|(?:en )?quelle annee (?:sommes nous|est on|on est|est ce|est il)|(?:nous sommes|on est) en quelle annee|quelle est l annee(?: en cours| actuelle)?)$/
const MONTH_NOW =
  /^(?:(?:what|which) month (?:is (?:it|this)|are we in)(?: now| today)?|what is the (?:current )?month|(?:en |a )?quel mois (?:sommes nous|est on|on est)|(?:nous sommes|on est) en quel mois|quel est le mois(?: en cours| actuel)?)$/
const WEEK_NOW =
  /^(?:(?:what|which) (?:calendar )?week (?:number )?(?:is (?:it|this)|are we in)(?: now| today)?|what is the (?:current )?(?:calendar )?week(?: number)?|(?:current )?week number|(?:dans |en )?quelle semaine (?:sommes nous|est on|on est)|quel est le numero de (?:la )?semaine|numero de semaine)$/
const IS_WEEKDAY = [
  /^is (?:it|today) (?:a )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|the weekend|weekday)(?: today)?$/,
  /^(?:est ce qu on|est ce que nous|on|nous) (?:est|sommes) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|le week end)(?: aujourd hui)?$/,
  /^(?:sommes nous|est on|est ce|aujourd hui c est|c est) (?:un |le )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week end)(?: aujourd hui)?$/,
]

/** Returns week and year by ISO 8601: a week belongs to the year of its Thursday. */
function weekOf(day: Date): [week: number, year: number] {
  const weekday = (day.getUTCDay() + 6) % 7
  const thursday = new Date(day.getTime() + (3 - weekday) * DAY_MS)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return [Math.floor((thursday.getTime() - first) / (7 * DAY_MS)) + 1, thursday.getUTCFullYear()]
}

const YEARS =
  /^(?:how many years (?:are there |were there |is it |passed |lie )?(?:between|from)|combien d annees (?:y a t il |il y a |separent )?(?:entre|de)|combien d ans (?:y a t il |il y a )?(?:entre|de)) (?:l an )?(\d{1,4}) (?:and|to|et|a) (\d{1,4})$/

/** Counts the years between two calendar years. */
function tellYears(row: string, language: Question['language']): Answer | null {
  const [, a, b] = YEARS.exec(row) ?? []
  if (!a || !b || Math.abs(Number(a) - Number(b)) < 2) return null
  const count = String(Math.abs(Number(a) - Number(b)))
  return { text: say(language, 'years_between', count, a, b), number: count }
}

const DAYS_OF_YEAR =
  /^(?:how many days (?:are there |were there |does |did |has |had |are |were |will )?(?:in )?(?:the year )?|combien de jours (?:y a t il |il y a |compte |a |avait )?(?:en |dans |l )?(?:l )?(?:annee )?)(\d{4})(?: have| a| compte)?$/

function tellDaysOfYear(row: string, language: Question['language']): Answer | null {
  const year = Number(DAYS_OF_YEAR.exec(row)?.[1])
  if (!(year >= 1583 && year <= 9999)) return null
  const count = dayOf(year, 2, 29) ? '366' : '365'
  return { text: say(language, 'year_days', String(year), count), number: count }
}

const LEFT =
  /^(?:how many days (?:are )?(?:there )?(?:left|remain|remaining)(?: are)?(?: in| of| until the end of)? (?:the|this) (?:year|month)|how many days (?:are )?(?:left )?until the end of (?:the|this) (?:year|month)|combien de jours (?:reste t il|il reste|restent|avant la fin|jusqu a la fin|d ici la fin)(?: t il)?(?: avant la fin| jusqu a la fin| d ici la fin)?(?: dans| de| du| cette)*(?: l)? ?(?:annee|mois|cette annee|ce mois))$/

function tellLeft(row: string, today: Date, language: Question['language']): Answer | null {
  if (!LEFT.test(row)) return null
  const isMonth = /mois$|month$/.test(row)
  const next = isMonth ? today.getUTCMonth() + 1 : 12
  const end = new Date(Date.UTC(today.getUTCFullYear(), next, 0))
  const count = Math.round((end.getTime() - today.getTime()) / DAY_MS)
  const days = language === 'fr' ? (count < 2 ? 'jour' : 'jours') : count === 1 ? 'day' : 'days'
  return { text: say(language, 'left', `${count} ${days}`, writeDay(end, language)), number: String(count) }
}

/** Names of feasts without accents, and their month and day, or their distance from Easter in days. */
const feasts: [names: string, en: string, fr: string, day: [number, number] | number][] = [
  ['christmas eve|reveillon de noel', 'Christmas Eve', 'Le réveillon de Noël', [12, 24]],
  ['christmas day|christmas|noel', 'Christmas', 'Noël', [12, 25]],
  ['boxing day', 'Boxing Day', 'Le lendemain de Noël', [12, 26]],
  [
    'new year s eve|new years eve|saint sylvestre|la saint sylvestre',
    'New Year’s Eve',
    'La Saint-Sylvestre',
    [12, 31],
  ],
  [
    'new year s day|new years day|new year|jour de l an|le nouvel an|nouvel an|jour de l an',
    'New Year’s Day',
    'Le jour de l’An',
    [1, 1],
  ],
  ['halloween', 'Halloween', 'Halloween', [10, 31]],
  [
    'valentine s day|valentines day|saint valentin|la saint valentin',
    'Valentine’s Day',
    'La Saint-Valentin',
    [2, 14],
  ],
  ['bastille day|fete nationale|la fete nationale', 'Bastille Day', 'La fête nationale française', [7, 14]],
  [
    'st patrick s day|saint patrick s day|saint patrick|la saint patrick',
    'Saint Patrick’s Day',
    'La Saint-Patrick',
    [3, 17],
  ],
  [
    'labour day in france|may day|fete du travail|la fete du travail',
    'May Day',
    'La fête du Travail',
    [5, 1],
  ],
  ['all saints day|all saints|toussaint|la toussaint', 'All Saints’ Day', 'La Toussaint', [11, 1]],
  ['good friday|vendredi saint|le vendredi saint', 'Good Friday', 'Le Vendredi saint', -2],
  ['easter sunday|easter|paques|dimanche de paques', 'Easter Sunday', 'Le dimanche de Pâques', 0],
  ['easter monday|lundi de paques|le lundi de paques', 'Easter Monday', 'Le lundi de Pâques', 1],
  ['ascension day|ascension|l ascension', 'Ascension Day', 'L’Ascension', 39],
  ['pentecost|whit sunday|pentecote|la pentecote', 'Pentecost', 'La Pentecôte', 49],
]
const ASKS_WHEN =
  /^(?:when is|when s|when will be|when does|on (?:what|which) (?:day|date) (?:is|does)|what (?:day|date) (?:is|does)|what is the date of|date of|quand est|quand c est|quand tombe|quel jour (?:est|tombe)|quelle est la date (?:de|du)|(?:la )?date (?:de|du)|c est quand|a quelle date (?:est|tombe)|quel jour c est) (.{1,60})$/

function tellFeast(row: string, today: Date, language: Question['language']): Answer | null {
  const named = ASKS_WHEN.exec(row)?.[1]?.replace(/ (?:this year|cette annee|fall|fall on|on|tombe)$/g, '')
  const [, name = '', given] =
    /^(?:le |la |l |the )?(.{1,50}?)(?: (?:in |en |de )?(\d{4}))?$/.exec(named ?? '') ?? []
  const feast = feasts.find(([names]) => names.split('|').includes(name))
  if (!feast) return null
  const [, en, fr, day] = feast
  const dayIn = (year: number) =>
    typeof day === 'number' ? new Date(easterOf(year).getTime() + day * DAY_MS) : dayOf(year, ...day)
  const isNext = !given && !/this year|cette annee/.test(row)
  const year = Number(given ?? today.getUTCFullYear())
  const date = dayIn(year)
  const shown = isNext && date && date < today ? dayIn(year + 1) : date
  return shown && year >= 1583
    ? { text: say(language, 'day_is', language === 'fr' ? fr : en, writeDay(shown, language)) }
    : null
}

/** Returns Easter Sunday in the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterOf(year: number): Date {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return new Date(Date.UTC(year, month - 1, ((h + l - 7 * m + 114) % 31) + 1))
}

const AGE =
  /^(?:if )?(?:(?:someone|somebody|a person|a child|i|he|she|we) )?(?:(?:am|is|was|were) )?(?:how old (?:am i|is (?:someone|somebody|a person)|are you) (?:if|when) (?:i (?:was|am)|he was|she was|they were|you were)? ?born in|how old is (?:someone|somebody|a person) born in|born in|(?:quel age a une personne|quel age a quelqu un|quel age ai je si je suis|je suis|une personne) nee? en) (\d{4})(?: (?:how old am i|how old is (?:he|she)|how old|quel age ai je|j ai quel age))?$/

function tellAge(row: string, now: number, language: Question['language']): Answer | null {
  const born = Number(AGE.exec(row)?.[1])
  if (!(born >= 1900 && born <= now)) return null
  const age = now - born
  return { text: say(language, 'age', String(born), String(Math.max(age - 1, 0)), String(age), String(now)) }
}
