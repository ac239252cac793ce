import { say } from '../phrases.ts'
import { inPlace } from '../places/place-words.ts'
import { capitalOf, findPlace, type Place, placeAt, plainWords } from '../places/places.ts'
import { instantOf, offsetOf, wallClock, writeTime, writeZone } from '../places/zoned.ts'
import { type ClockTime, readClockTime } from '../words/clock-time.ts'
import { DAY_MS, startOfDay, writeDay } from '../words/days.ts'
import { writeNumber } from '../words/numerals.ts'
import type { Answer, Question } from './skill.ts'

const MAX_LENGTH = 160

/** Answers questions for the time here and elsewhere, the time zone of a place, the difference of two, and conversions. */
export function answerClock(question: Question): Answer | null {
  if (question.text.length > MAX_LENGTH) return null
  const asked = readAsked(question)
  if (!asked) return null
  const { kind, unknown } = asked
  const places = asked.places.map(({ place }) => place)
  if (unknown) return { text: say(question.language, 'unknown_place', unknown) }
  if (kind === 'difference') return tellDifference(places, question)
  const later = places.length < 2 ? tellLater(question, places[0] ?? null) : null
  if (later) return later
  const time = readClockTime(question.text)
  if (time) return tellConversion(time, asked.places, question)
  if (places.length > 0 && kind !== 'day')
    return { text: join(places.map((place) => tellTime(place, question))) }
  if (places.length > 0) return { text: join(places.map((place) => tellDay(place, question))) }
  return kind === 'time' && ASKS_NOW.test(question.text) ? { text: tellHere(question) } : null
}

type Asked = { kind: 'time' | 'day' | 'difference'; places: Named[]; unknown: string | null }
/** A place and the index of its first word. */
type Named = { place: Place; at: number }

/** Words that a question about the time may contain besides places. Any other word makes it another question. */
const FILLER: Record<Question['language'], Set<string>> = {
  en: new Set(
    (
      'what whats s is are the time times it right now currently current local in at for of over there here please can could you do know tell me give us ' +
      'and hello hi hey today exactly hour o clock zone timezone day date weekday which between from to vs versus difference gap apart how many much hours ' +
      'ahead behind big i would like when if then be will show got have they people compared with by my your on so ok okay noon midnight am pm a p m was ' +
      'ago minutes minute min about thanks thank convert'
    ).split(' '),
  ),
  fr: new Set(
    (
      'quelle quel est il elle heure heures l la le les a au aux en dans de du des d entre et maintenant actuelle actuellement actuel svp stp s te vous ' +
      'plait dis moi donne peux tu pouvez bonjour salut jour date decalage horaire difference fuseau combien y qu que c avance retard sur avec par rapport ' +
      'locale ce moment sera etait minutes minute min pour me dire as avez t on quand si alors aujourd hui sommes nous quels midi minuit h savez sais bien ' +
      'font fait merci ile chez moi ici'
    ).split(' '),
  ),
}
const ASKS_TIME =
  /\b(?:what time|time is it|the time|time in|time at|current time|local time|time now|time zone|timezone|time difference|o clock|hours (?:ahead|behind)|(?:ahead of|behind)|heure|heures|fuseau|decalage)\b|\btime$/
/** “How many hours are in a day?” does not match. */
const ASKS_NOW =
  /(?<!\p{L})(?:what time|(?:what['’]?s|what is|tell me|know|got|have) the time|^time$|^heure$|time is it|current time|local time|time now|time it is|quelle heure|l['’]heure|heure actuelle|heure est-il)(?!\p{L})/iu
const IS_LENGTH = /\b(?:how much time|how long|combien de temps|a quelle heure|at what time)\b/
const ASKS_DAY = /\b(?:what|which|quel|quelle) (?:is )?(?:the )?(?:day|date|weekday|jour)\b/
const ASKS_DIFFERENCE = /\b(?:difference|decalage|ahead|behind|apart|gap|avance|retard)\b/
const BEFORE_PLACE = new Set(['in', 'at', 'a', 'au', 'aux', 'en', 'for', 'of', 'de', 'du', 'over'])

function readAsked({ text, language, before }: Question): Asked | null {
  const words = plainWords(text)
  const row = words.join(' ')
  const isFollowUp =
    /^(?:and|et|what about|how about|et pour)\b/.test(row) &&
    /^(?:- )?(?:It is|Il est) \*\*/.test(before?.text ?? '')
  if (IS_LENGTH.test(row) || !(isFollowUp || ASKS_TIME.test(row) || ASKS_DAY.test(row))) return null
  const { places, rest } = takePlaces(words, language)
  const strange = rest.filter(
    ({ word }) => !FILLER[language].has(word) && !/^\d{1,2}(?:h|h\d\d|am|pm)?$|^\d\d$/.test(word),
  )
  const isDay = !ASKS_TIME.test(row) && !isFollowUp
  const kind = isDay ? 'day' : ASKS_DIFFERENCE.test(row) ? 'difference' : 'time'
  if (isFollowUp && places.length === 0) return null
  if (strange.length === 0) return { kind, places, unknown: null }
  return isDay || places.length > 0 ? null : namesUnknown(text, words, strange)
}

/** “What time is it in Xyz?”: the words after the preposition are an unknown name. */
function namesUnknown(text: string, words: string[], strange: Rest[]): Asked | null {
  const [first] = strange
  const isName =
    first &&
    BEFORE_PLACE.has(words[first.at - 1] ?? '') &&
    words.length - first.at <= 4 &&
    /\b(?:time is it|heure est il|il est quelle heure|heure il est)\b/.test(words.join(' '))
  if (!isName) return null
  const name = /(?<!\p{L})(?:in|at|à|en|au|aux) ([^?!.,]{1,60})[?!.\s]{0,4}$/u.exec(text)?.[1]?.trim()
  return name ? { kind: 'time', places: [], unknown: name } : null
}

type Rest = { word: string; at: number }

/** Splits the words into places and the words that belong to none. */
function takePlaces(words: string[], language: Question['language']): { places: Named[]; rest: Rest[] } {
  const places: Named[] = []
  const rest: Rest[] = []
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? ''
    const isName = !FILLER[language].has(word) || isArticleOfName(words, at)
    const found = isName ? placeAt(words, at) : null
    if (found) {
      // “Paris, Texas”: the wider place identifies the city.
      const last = places.at(-1)
      const isWider = last && rest.at(-1)?.at !== at - 1 && isWithin(last.place, found.place)
      if (isWider) places.pop()
      places.push(isWider && last.place.zone === found.place.zone ? last : { place: found.place, at })
    } else rest.push({ word, at })
    at += found?.length ?? 1
  }
  return { places, rest }
}

/** “le Caire”, “la Havane” and “The Hague” start with an article; other names do not include theirs. */
const isArticleOfName = (words: string[], at: number) =>
  ['le', 'la', 'the', 'los', 'las', 'us', 'et'].includes(words[at] ?? '') &&
  (placeAt(words, at)?.length ?? 0) > 1

const isWithin = (inner: Place, outer: Place) =>
  inner !== outer && inner.kind === 'city' && outer.kind !== 'zone'

const join = (lines: string[]) =>
  lines.length === 1 ? lines.join('') : lines.map((line) => `- ${line}`).join('\n')

function tellHere({ now, zone, language }: Question): string {
  const written = writeTime(wallClock(now, zone ?? 'UTC'), language)
  return zone ? say(language, 'time_here', written, writeZone(now, zone)) : say(language, 'time', written)
}

const LATER =
  /(?<!\p{L})(in|dans|il y a) (\d{1,4}|an?|une?) (hours?|heures?|minutes?|min)(?!\p{L})|(\d{1,4}|an?) (hours?|minutes?) ago/iu

/** “What time will it be in 3 hours?” */
function tellLater({ text, now, zone, language }: Question, place: Place | null): Answer | null {
  const [, ahead, count = '', unit = '', back, unitBack = ''] = LATER.exec(text) ?? []
  if ((!ahead && !back) || !(place || ASKS_NOW.test(text))) return null
  const isPast = back !== undefined || ahead === 'il y a'
  const number = Number(back ?? count) || 1
  const minutes = number * (/^min/i.test(back ? unitBack : unit) ? 1 : 60) * (isPast ? -1 : 1)
  const then = new Date(now.getTime() + minutes * 60_000)
  const [was, will] = language === 'en' ? ['was', 'will be'] : ['était', 'sera']
  const there = place?.zone ?? zone ?? 'UTC'
  const written = writeTime(wallClock(then, there), language)
  return { text: say(language, 'time_then', (isPast ? was : will) ?? '', written, writeZone(then, there)) }
}

function tellTime(place: Place, { now, zone, language }: Question): string {
  const wall = wallClock(now, place.zone)
  const offsets = place.others.map((other) => offsetOf(now, other))
  const spread = [offsetOf(now, place.zone), ...offsets]
  const [least, most] = [Math.min(...spread), Math.max(...spread)]
  const here = startOfDay(wallClock(now, zone ?? 'UTC')).getTime()
  const day = startOfDay(wall).getTime() === here ? '' : `, ${writeDay(wall, language)}`
  const capital = least === most ? null : capitalOf(place)
  const where = inPlace(capital ?? place, language)
  const told = say(
    language,
    'time_in',
    writeTime(wall, language),
    where,
    `${writeZone(now, place.zone)}${day}`,
  )
  if (!capital) return told
  const clocks = [least, most].map((offset) => writeTime(new Date(now.getTime() + offset * 60_000), language))
  return `${told} ${say(language, 'several_times', inPlace(place, language), clocks[0] ?? '', clocks[1] ?? '')}`
}

function tellDay(place: Place, { now, language }: Question): string {
  const day = writeDay(wallClock(now, place.zone), language)
  return say(language, 'day_in', day, inPlace(place, language), writeZone(now, place.zone))
}

function tellDifference(places: Place[], { now, zone, language }: Question): Answer | null {
  const here = zone ? hereIn(zone) : (findPlace(['utc']) as Place)
  const [first, second = here] = places
  if (!first || places.length > 2) return null
  const minutes = offsetOf(now, first.zone) - offsetOf(now, second.zone)
  const names = [first, second].map(({ name }) => name[language])
  if (minutes === 0) return { text: say(language, 'same_time', names[0] ?? '', names[1] ?? '') }
  const [ahead = '', behind = ''] = minutes > 0 ? names : names.toReversed()
  return { text: say(language, 'time_ahead', ahead, writeHours(Math.abs(minutes), language), behind) }
}

const hereIn = (zone: string): Place => ({ name: { en: zone, fr: zone }, kind: 'zone', zone, others: [] })

function writeHours(minutes: number, language: Question['language']): string {
  const hours = Math.floor(minutes / 60)
  const name = language === 'en' ? (hours === 1 ? 'hour' : 'hours') : hours < 2 ? 'heure' : 'heures'
  const rest = minutes % 60 ? ` ${minutes % 60} min` : ''
  return `${writeNumber(String(hours), language)} ${name}${rest}`
}

/** Converts a time: “3 pm in New York” to the time in Paris, or here. */
function tellConversion(time: ClockTime, named: Named[], question: Question): Answer | null {
  const { text, now, zone, language } = question
  const here = hereIn(zone ?? 'UTC')
  const source = placeOfTime(plainWords(text.slice(0, time.at)).length, named)
  const other = named.find((one) => one !== source)
  const [from, to] = [source?.place ?? here, other?.place ?? here]
  if (named.length === 0 || named.length > 2) return null
  const today = startOfDay(wallClock(now, from.zone))
  const wall = new Date(today.getTime() + (time.hours * 60 + time.minutes) * 60_000)
  const there = wallClock(instantOf(wall, from.zone), to.zone)
  const days = Math.round((startOfDay(there).getTime() - today.getTime()) / DAY_MS)
  const shift = days === 0 ? '' : ` ${say(language, days > 0 ? 'next_day' : 'day_before')}`
  const [at, target] = [from, to].map((place) => inPlace(place, language))
  const written = [writeTime(wall, language), at ?? '', writeTime(there, language), target ?? '', shift]
  return { text: say(language, 'converted_time', ...written) }
}

/** Maximum words between a time of day and its place: “9 am in Berlin”. */
const MAX_BETWEEN = 4

/** Returns the place of a time of day: the one right after it, otherwise the one before it when two are named. */
function placeOfTime(at: number, named: Named[]): Named | undefined {
  const behind = named.find((one) => one.at >= at && one.at - at <= MAX_BETWEEN)
  return behind ?? (named.length > 1 ? named.findLast((one) => one.at < at) : undefined)
}
