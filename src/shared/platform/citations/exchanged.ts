import { stemsOf } from './clauses.ts'
import { scaleOf } from './number-words.ts'
import { isSameQuantity, type Quantity } from './quantities.ts'
import { isUnitWord } from './units.ts'

/** A number with the words that say what it is of. */
export type Labelled = { quantity: Quantity; words: ReadonlySet<string> }

const BREAK =
  /[.!?;]\s|\n|,\s|\s(?:and|but|while|whereas|et|mais|tandis que|und|aber|während|y|pero|mientras)\s|\|/giu

/** Verbs that lead from a subject to its number, and small words of measures. */
const LINKS = new Set(
  'betra belau amoun eleve ascie total cost costs coute kostet cuest month year monat annee jahr mes mois'.split(
    ' ',
  ),
)
const isYear = ({ unit, values: [value = 0], text }: Quantity) =>
  unit === null && /^(?:1[5-9]|20|21)\d\d$/.test(text) && value >= 1_500

/** Each number of a text with the words of its part of the sentence; years are words. */
export function labelNumbers(text: string, all: readonly Quantity[]): Labelled[] {
  const years = all.filter(isYear)
  const quantities = all.filter((one) => !isYear(one))
  const breaks = [
    0,
    ...Array.from(text.matchAll(BREAK), ({ index, 0: one }) => index + one.length),
    text.length,
  ]
  return quantities.map((quantity) => {
    const end = quantity.at + quantity.text.length
    const from = Math.max(0, ...breaks.filter((at) => at <= quantity.at))
    const to = Math.min(text.length, ...breaks.filter((at) => at >= end))
    const others = quantities.filter((one) => one !== quantity && one.at >= from && one.at < to)
    const before = others.filter((one) => one.at < quantity.at).at(-1)
    const left = before ? before.at + before.text.length : from
    const after = others.find((one) => one.at > quantity.at)
    // The words of a number stand ahead of it where the first number of the part has some there.
    const first = Math.min(quantity.at, ...others.map(({ at }) => at))
    const right = after ? (labelOf(text.slice(from, first)).length > 0 ? end : after.at) : to
    const when = years.filter(({ at }) => at >= from && at < to).map(({ text: year }) => `y${year}`)
    return { quantity, words: new Set([...labelOf(text.slice(left, right)), ...when]) }
  })
}

const labelOf = (text: string) =>
  stemsOf(
    text.replace(/\p{L}+/gu, (word) => (isUnitWord(word) || scaleOf(word) !== null ? ' ' : word)),
  ).filter((word) => !LINKS.has(word))

/** Whether a number is said of what another number of its source belongs to: the first word that tells them apart decides. */
export function isExchanged(said: Labelled, known: readonly Labelled[]): boolean {
  const own = known.filter(({ quantity }) => isSameQuantity(said.quantity, quantity))
  const others = known.filter(
    ({ quantity }) =>
      !isSameQuantity(said.quantity, quantity) &&
      quantity.isOrdinal === said.quantity.isOrdinal &&
      isOneKind(quantity, said.quantity),
  )
  if (own.length === 0) return false
  const isOfOther = (one: Labelled, other: Labelled) => {
    const telling = [...said.words].find((word) => one.words.has(word) !== other.words.has(word))
    return telling !== undefined && other.words.has(telling)
  }
  return own.every((one) => others.some((other) => isOfOther(one, other)))
}

const isOneKind = (a: Quantity, b: Quantity) =>
  a.unit === null || b.unit === null ? a.unit === b.unit : a.unit.kind === b.unit.kind
