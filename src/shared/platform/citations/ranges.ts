import { scaleOf } from './number-words.ts'
import type { Quantity } from './quantity.ts'
import { fold } from './text-language.ts'

/** The first and the last value of something that changed. */
export type Change = { from: Quantity; to: Quantity }
/** Two numbers that a text joins as the ends of a range or of a change. */
type Range = Change & { isChange: boolean }

const FROM = /(?<!\p{L})(?:from|de|du|des|del|desde|von|vom)\s(?:las?\s|los\s|the\s|about\s|[€$£]\s?)*$/u
const BETWEEN = /(?<!\p{L})(?:between|entre|zwischen)\s(?:las?\s|les?\s|los\s|the\s|[€$£]\s?)*$/u
const TO =
  /^\S{0,3}(?:\s\p{L}{1,12}){0,3}\s(?:to|a|au|aux|bis|auf|hasta|until|till|y)\s(?:las?\s|los\s|the\s|[€$£]\s?)*$/u
const AND = /^\S{0,3}(?:\s\p{L}{1,12}){0,2}\s(?:and|et|und|y)\s(?:las?\s|les?\s|los\s|the\s|[€$£]\s?)*$/u

/** Returns the ranges of a text: "from 6 to 9", "entre 6 et 9", "von 6 auf 9". */
export function rangesIn(text: string, quantities: readonly Quantity[]): Range[] {
  return quantities.flatMap((from, at): Range[] => {
    const to = quantities[at + 1]
    if (!to || from.isOrdinal || to.isOrdinal) return []
    const ahead = fold(text.slice(Math.max(0, from.at - 24), from.at))
    const between = fold(text.slice(from.at + from.text.length, to.at))
    const isChange = FROM.test(ahead) && TO.test(between)
    return isChange || (BETWEEN.test(ahead) && AND.test(between)) ? [{ from, to, isChange }] : []
  })
}

/** Returns the changes of a text: "from 6 to 9 million", and "9 million, against 6 million a year earlier". */
export function changesIn(text: string, quantities: readonly Quantity[]): Change[] {
  const compared = quantities.flatMap((to, at) => {
    const from = quantities[at + 1]
    return from && isCompared(text, to, from) ? [{ from, to }] : []
  })
  return [...rangesIn(text, quantities).filter(({ isChange }) => isChange), ...compared]
}

const COMPARED =
  /^\S{0,3}(?:,|\s?\()?\s?(?:against|compared (?:with|to)|versus|vs\.?|contre|par rapport à|gegenüber|verglichen mit|frente a|en comparación con)\s[€$£]?$/iu

/** Returns whether the second of two neighbours is what the first is compared with. */
export function isCompared(text: string, one: Quantity, next: Quantity): boolean {
  const end = one.at + one.text.length
  const between = text.slice(end, next.at)
  return COMPARED.test(
    between
      .replace(/^[\s-]?\p{L}+/u, (word) => (scaleOf(word.trim()) === null ? word : ''))
      .replace(/^\s?(?:[€$£%]|(?:d['’]|de )?\p{L}{1,12})(?=[,\s(])/u, ''),
  )
}

/**
 * Returns the numbers with the scale and the unit that the other end of a range says for both: "from 112 to 97 million euros",
 * "97 million euros, against 112 million".
 */
export function shareMeasures(text: string, quantities: readonly Quantity[]): Quantity[] {
  const ranges = rangesIn(text, quantities)
  return quantities.map((one, at) => {
    const range = ranges.find(({ from, to }) => from === one || to === one)
    const before = quantities[at - 1]
    if (!range) {
      const takesUnit = before?.unit && one.unit === null && isCompared(text, before, one)
      return takesUnit ? { ...one, unit: before.unit } : one
    }
    const { from, to, isChange } = range
    if (one === to) return isChange ? { ...to, direction: to.direction ?? changeOf(from, to) } : to
    const scale = from.scale === undefined && from.unit === null ? (to.scale ?? 1) : 1
    const values = scale === 1 ? from.values : from.values.map((value) => value * scale)
    return { ...from, values, unit: from.unit ?? to.unit }
  })
}

/** Returns the direction of a change; null for times and years. */
function changeOf(from: Quantity, to: Quantity): Quantity['direction'] {
  const kinds = [from.unit?.kind, to.unit?.kind]
  if (
    kinds.some((kind) => kind === undefined || kind === 'clock' || kind === 'day') &&
    to.scale === undefined
  )
    return null
  const [a = 0, b = 0] = [from.values[0], to.values[0]]
  const scaled = from.scale === undefined && from.unit === null ? a * (to.scale ?? 1) : a
  return b > scaled ? 'up' : b < scaled ? 'down' : null
}
