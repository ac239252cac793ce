import { isDateKnown, readDates, type SaidDate } from './dates.ts'
import { isExchanged, labelNumbers } from './exchanged.ts'
import { isSameQuantity, type Quantity, quantitiesIn } from './quantities.ts'

/** Returns the dates and the other numbers of a text. `rest` is the text with its dates blanked. */
export function readNumbers(text: string) {
  const { dates, rest } = readDates(text)
  return { dates, rest, quantities: quantitiesIn(rest) }
}

/**
 * Returns numbers and dates of a sentence that are missing in its source, or belong to something else there. `sameLanguage`
 * enables comparing words.
 */
export function findWrongNumbers(said: string, source: string, sameLanguage: boolean): string[] {
  const [claimed, known] = [readNumbers(said), readNumbers(source)]
  const years = new Set([
    ...known.dates.flatMap(({ readings }) => readings.flatMap(({ year }) => year ?? [])),
    ...known.quantities.flatMap(({ values }) => values.filter((value) => value >= 1_500 && value < 2_200)),
  ])
  const dates = claimed.dates.filter((date) => !isDateKnown(date, known.dates, years)).map(({ text }) => text)
  const dateNumbers = new Set(
    known.dates.flatMap(({ readings }) => readings.flatMap(({ day, month, year }) => [day, month, year])),
  )
  const isKnown = (one: Quantity) =>
    known.quantities.some((other) => isSameQuantity(one, other)) ||
    isBetween(one, known.dates) ||
    (one.unit === null && one.values.some((value) => dateNumbers.has(value)))
  const labelled = labelNumbers(known.rest, [...known.quantities.filter(isClaimed), ...yearsOf(known.dates)])
  const stated = claimed.quantities.filter(isClaimed)
  const unknown = stated.filter((one) => !isKnown(one))
  const swapped = sameLanguage
    ? labelNumbers(claimed.rest, [...stated, ...yearsOf(claimed.dates)]).filter((one) =>
        isExchanged(one, labelled),
      )
    : []
  const wrong = new Set([...unknown, ...swapped.map(({ quantity }) => quantity)])
  return [...[...wrong].map(({ text }) => text), ...dates]
}

/** "One", "first" and "second" are too frequent to count as claims. */
function isClaimed({ values, isOrdinal, text }: Quantity): boolean {
  if (/\d/.test(text)) return true
  return values.every((value) => value > (isOrdinal ? 2 : 1)) && !/^neuf$/i.test(text)
}

/** Returns a text without its numbers and dates. */
export function withoutNumbers(text: string): string {
  const { rest, quantities } = readNumbers(text)
  return quantities.reduce(
    (left, { at, text: one }) => left.slice(0, at) + ' '.repeat(one.length) + left.slice(at + one.length),
    rest,
  )
}

/** Returns the years of dates, as context for numbers next to them. */
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

/** Returns whether a duration equals the time between two dates of the source. */
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
