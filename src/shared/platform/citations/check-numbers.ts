import { clausesOf, stemsOf } from './clauses.ts'
import { isDateKnown, readDates, type SaidDate } from './dates.ts'
import { isDerived, sharesIn } from './derived.ts'
import { isExchanged, labelNumbers, TIMES, withoutNames } from './exchanged.ts'
import { quantitiesIn, withoutMeasures } from './quantities.ts'
import { isSameQuantity, type Quantity } from './quantity.ts'
import { type Change, changesIn } from './ranges.ts'
import { remember } from './remember.ts'

/** The dates and the other numbers of a text; `rest` is the text without its dates, of the same length. */
export const readNumbers = remember((text) => {
  const { dates, rest } = readDates(text)
  return { dates, rest, quantities: quantitiesIn(rest) }
})

/** Returns the numbers of a source with their labels, its years and the parts of its dates. */
const readSource = remember((text) => {
  const known = readNumbers(text)
  return {
    ...known,
    shares: sharesIn(known.rest, known.quantities),
    changes: changesIn(known.rest, known.quantities),
    labelled: labelNumbers(known.rest, [...known.quantities.filter(isClaimed), ...yearsOf(known.dates)]),
    years: new Set([
      ...known.dates.flatMap(({ readings }) => readings.flatMap(({ year }) => year ?? [])),
      ...known.quantities.flatMap(({ values }) => values.filter((value) => value >= 1_500 && value < 2_200)),
    ]),
    dateNumbers: new Set(
      known.dates.flatMap(({ readings }) => readings.flatMap(({ day, month, year }) => [day, month, year])),
    ),
  }
})

/** Numbers and dates of a sentence that its source does not have, or has of something else. `sameLanguage` allows words to be compared. */
export function findWrongNumbers(said: string, source: string, sameLanguage: boolean): string[] {
  const [claimed, known] = [readNumbers(said), readSource(source)]
  const { labelled, years, dateNumbers } = known
  const dates = claimed.dates.filter((date) => !isDateKnown(date, known.dates, years)).map(({ text }) => text)
  const isOfShare = (one: Quantity) => known.shares.some(({ part, whole }) => one === part || one === whole)
  const isDerivedHere = (one: Quantity) => isDerived(one, claimed.rest, known, sameLanguage)
  const isKnown = (one: Quantity) =>
    known.quantities.some(
      (other) => isSameQuantity(one, other) && !(one.unit?.kind === 'percent' && isOfShare(other)),
    ) ||
    isBetween(one, known.dates) ||
    isDerivedHere(one) ||
    (one.unit === null && one.values.some((value) => (value > 31 || one.isOrdinal) && dateNumbers.has(value)))
  const isKnownShare = (one: Quantity) => one.unit?.kind === 'percent' && isDerivedHere(one)
  const stated = claimed.quantities.filter(isClaimed)
  const unknown = stated.filter((one) => !isKnown(one))
  const swapped = sameLanguage
    ? labelNumbers(claimed.rest, [...stated, ...yearsOf(claimed.dates)]).filter(
        (one) =>
          !isCountOfTimes(one.quantity, known) && !isKnownShare(one.quantity) && isExchanged(one, labelled),
      )
    : []
  const wrong = new Set([
    ...unknown,
    ...swapped.map(({ quantity }) => quantity),
    ...findReversed(changesIn(claimed.rest, claimed.quantities), known.changes),
    ...(sameLanguage ? [...findOtherOrdinals(claimed, known), ...findOtherYears(said, source)] : []),
  ])
  return [...new Set([...[...wrong].map(({ text }) => text), ...dates])]
}

/** Last values of changes that the source states the other way round: "from 585 to 640" for "from 640 to 585". */
function findReversed(said: readonly Change[], known: readonly Change[]): Quantity[] {
  const isSame = (a: Quantity, b: Quantity) => isSameQuantity({ ...a, direction: null }, b)
  return said
    .filter(({ from, to }) => {
      const isStated = known.some((one) => isSame(from, one.from) && isSame(to, one.to))
      return !isStated && known.some((one) => isSame(from, one.to) && isSame(to, one.from))
    })
    .map(({ to }) => to)
}

/** "Flashes twice" supports "two flashes". */
const isCountOfTimes = ({ values, unit }: Quantity, { quantities }: Read) =>
  unit === null &&
  quantities.some(
    ({ text, values: known }) => TIMES.test(text) && known.some((value) => values.includes(value)),
  )

/** "One", "first" and "second" are said too often to be claims. */
export function isClaimed({ values, isOrdinal, text, unit }: Quantity): boolean {
  if (/\d/.test(text)) return true
  return values.every((value) => value > (isOrdinal ? 2 : 1)) && (unit !== null || !/^neuf$/i.test(text))
}

const YEAR = /(?<![\d.,])(?:1[5-9]|20|21)\d{2}(?![\d.,]\d|\d)/g
const yearsIn = (text: string): string[] => text.match(YEAR) ?? []

/** Years of a clause whose words the source says of another year only. The subject tells nothing: it may be left out. */
function findOtherYears(said: string, source: string): { text: string }[] {
  const dated = clausesOf(source).filter(({ text }) => yearsIn(text).length > 0)
  return clausesOf(said).flatMap(({ text, words }) => {
    const told = words.slice(1)
    const most = (some: typeof dated) =>
      Math.max(0, ...some.map((clause) => told.filter((word) => clause.words.includes(word)).length))
    return yearsIn(text).flatMap((year) => {
      const [own, others] = [
        dated.filter((clause) => yearsIn(clause.text).includes(year)),
        dated.filter((clause) => !yearsIn(clause.text).includes(year)),
      ]
      return own.length > 0 && most(own) === 0 && most(others) > 0 ? [{ text: year }] : []
    })
  })
}

type Read = ReturnType<typeof readNumbers>

/** Ordinals of a thing of which the source names only others: "the second quarter" for "the third quarter". */
function findOtherOrdinals(said: Read, known: Read): Quantity[] {
  const thingOf = ({ rest }: Read, { at, text }: Quantity) =>
    stemsOf(rest.slice(at + text.length, at + 60).split(/[.,;:!?]/, 1)[0] ?? '')[0]
  const ordinals = known.quantities.filter(({ isOrdinal }) => isOrdinal)
  return said.quantities.filter((one) => {
    const thing = thingOf(said, one)
    if (!one.isOrdinal || thing === undefined) return false
    const same = ordinals.filter((other) => thingOf(known, other) === thing)
    // "In second class and in first" leaves the thing out.
    const isElided = ordinals.some(
      (other) => thingOf(known, other) === undefined && isSameQuantity(one, other),
    )
    return same.length > 0 && !isElided && same.every((other) => !isSameQuantity(one, other))
  })
}

/** A text without its dates, its numbers and their units. */
export const withoutNumbers = remember((text) => {
  const { rest, quantities } = readNumbers(text)
  return withoutMeasures(rest, withoutNames(rest, quantities.filter(isClaimed)))
})

/** The years of dates, which give the year of a number next to them. */
const yearsOf = (dates: readonly SaidDate[]): Quantity[] =>
  dates.flatMap(({ at, readings: [first] }) =>
    first?.year === undefined
      ? []
      : [
          {
            ...{ values: [first.year], unit: null, isNegative: false, isOrdinal: false, slack: 0 },
            ...{ at, text: String(first.year) },
          },
        ],
  )

const DAY_MS = 86_400_000

/** Whether a duration is the time between two dates of the source. */
function isBetween({ unit, values }: Quantity, dates: readonly SaidDate[]): boolean {
  if (unit?.kind !== 'day') return false
  const days = dates.flatMap(({ readings: [first] }) =>
    first?.year === undefined ? [] : [Date.UTC(first.year, (first.month ?? 1) - 1, first.day ?? 1) / DAY_MS],
  )
  return values.some((value) =>
    days.some((from) =>
      days.some((to) => to > from && Math.abs(to - from + 1 - value * unit.factor) <= 0.016 * (to - from)),
    ),
  )
}
