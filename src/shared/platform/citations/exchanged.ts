import { stemsOf } from './clauses.ts'
import { isSameQuantity, type Quantity } from './quantities.ts'

/** A number with the words that say what it is of. */
export type Labelled = { quantity: Quantity; words: ReadonlySet<string> }

const BREAK =
  /[.!?;]\s|\n|,\s|\s(?:and|but|while|whereas|et|mais|tandis que|und|aber|während|y|pero|mientras)\s|\|/giu

/** Each number of a text with the words of its part of the sentence. */
export function labelNumbers(text: string, quantities: readonly Quantity[]): Labelled[] {
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
    // A number's words stand before it where the first number of the part has some there.
    const right = after
      ? stemsOf(text.slice(from, others[0]?.at ?? quantity.at)).length > 0
        ? end
        : after.at
      : to
    return { quantity, words: new Set(stemsOf(text.slice(left, right))) }
  })
}

/** Whether a number is said of what another number of its source belongs to, and of nothing of its own. */
export function isExchanged(said: Labelled, known: readonly Labelled[]): boolean {
  const own = known.filter(({ quantity }) => isSameQuantity(said.quantity, quantity))
  const others = known.filter(
    ({ quantity }) =>
      !isSameQuantity(said.quantity, quantity) &&
      quantity.isOrdinal === said.quantity.isOrdinal &&
      isOneKind(quantity, said.quantity),
  )
  if (own.length === 0) return false
  const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
    [...a].filter((word) => said.words.has(word) && !b.has(word)).length
  return own.every((one) =>
    others.some((other) => shared(one.words, other.words) === 0 && shared(other.words, one.words) > 0),
  )
}

const isOneKind = (a: Quantity, b: Quantity) =>
  a.unit === null || b.unit === null || a.unit.kind === b.unit.kind
