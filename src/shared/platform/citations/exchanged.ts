import { stemsOf } from './clauses.ts'
import { scaleOf } from './number-words.ts'
import { isSameQuantity, type Quantity } from './quantities.ts'
import { isUnitWord } from './units.ts'

/** A number with the words that say what it measures. */
export type Labelled = { quantity: Quantity; words: ReadonlySet<string>; isAtHead: boolean }

const BREAK =
  /[.!?;]\s|\n|,\s|\s(?:and|but|while|whereas|et|mais|tandis que|und|aber|während|y|pero|mientras)\s|\|/giu

/** Verbs that connect a subject with its number, and function words of measures. */
const LINKS = new Set(
  'betra belau amoun eleve ascie total cost costs coute kostet cuest month year monat annee jahr mes mois'.split(
    ' ',
  ),
)
const isYear = ({ unit, values: [value = 0], text }: Quantity) =>
  unit === null && /^(?:1[5-9]|20|21)\d\d$/.test(text) && value >= 1_500

const DETERMINER = /\b(?:the|an?|le|la|les|l['’]|un|une|der|die|das|ein|eine|el|los|las)\b/i
const SENTENCE_END = /[.!?;]\s|\n/g

/** Returns each number of a text with the words of its part of the sentence. Years count as words. */
export function labelNumbers(text: string, all: readonly Quantity[]): Labelled[] {
  const quantities = all.filter((one) => !isYear(one))
  const breaks = breaksOf(text, BREAK)
  const sentences = breaksOf(text, SENTENCE_END)
  return quantities.map((quantity) => {
    const [from, to] = partOf(quantity, breaks)
    const others = quantities.filter((one) => one !== quantity && one.at >= from && one.at < to)
    const before = others.findLast((one) => one.at < quantity.at)
    const after = others.find((one) => one.at > quantity.at)
    const left = before ? endOf(before) : from
    // A number's words precede it if the first number of the part has words before it.
    const first = Math.min(quantity.at, ...others.map(({ at }) => at))
    const right = after ? (labelOf(text.slice(from, first)).length > 0 ? endOf(quantity) : after.at) : to
    const [begin] = partOf(quantity, sentences)
    const head = Math.min(quantity.at, ...quantities.filter(({ at }) => at >= begin).map(({ at }) => at))
    const shared = inherited(text.slice(left, quantity.at), labelOf(text.slice(begin, head)))
    // A year belongs to the preceding number; before all numbers, it belongs to each.
    const isOwn = ({ at }: Quantity) => (at > quantity.at ? !after || at < after.at : !before)
    const when = all.filter((one) => isYear(one) && one.at >= from && one.at < to && isOwn(one))
    return {
      quantity,
      isAtHead: labelOf(text.slice(from, quantity.at)).length === 0,
      words: new Set([
        ...shared,
        ...labelOf(text.slice(left, right)),
        ...when.map(({ text: year }) => `y${year}`),
      ]),
    }
  })
}

/**
 * Returns the words that a later part of a sentence omits because they are in its head: all if it has none, the subject if
 * it has a verb.
 */
function inherited(front: string, head: string[]): string[] {
  const own = labelOf(front)
  if (own.length === 0) return head
  return own.length === 1 && !DETERMINER.test(front) ? head.slice(0, 1) : []
}

const breaksOf = (text: string, pattern: RegExp) => [
  ...[0, ...Array.from(text.matchAll(pattern), ({ index, 0: one }) => index + one.length), text.length],
]
const endOf = ({ at, text }: Quantity) => at + text.length
const partOf = (quantity: Quantity, breaks: readonly number[]): [number, number] => [
  Math.max(0, ...breaks.filter((at) => at <= quantity.at)),
  Math.min(...breaks.filter((at) => at >= endOf(quantity))),
]

const labelOf = (text: string) =>
  stemsOf(
    text.replace(/\p{L}+/gu, (word) => (isUnitWord(word) || scaleOf(word) !== null ? ' ' : word)),
  ).filter((word) => !LINKS.has(word))

/** Returns whether a number belongs to something else in its source. The first distinguishing word decides. */
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
    const telling = [...said.words]
      .sort(yearsFirst)
      .find((word) => one.words.has(word) !== other.words.has(word))
    if (telling === undefined || one.words.has(telling)) return false
    // A number before its words says nothing about the first of them.
    return !said.isAtHead || ![...said.words].some((word) => one.words.has(word) && !other.words.has(word))
  }
  return own.every((one) => others.some((other) => isOfOther(one, other)))
}

const yearsFirst = (a: string, b: string) => Number(/^y\d/.test(b)) - Number(/^y\d/.test(a))

const isOneKind = (a: Quantity, b: Quantity) =>
  a.unit === null || b.unit === null ? a.unit === b.unit : a.unit.kind === b.unit.kind
