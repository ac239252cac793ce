import { stemsOf } from './clauses.ts'
import type { Labelled } from './exchanged.ts'
import type { Quantity } from './quantity.ts'
import type { Change } from './ranges.ts'
import type { Direction } from './terms.ts'
import { fold } from './text-language.ts'

/** A source, read: its text without dates, its numbers, their subjects and its changes. */
type Source = {
  rest: string
  quantities: readonly Quantity[]
  labelled: readonly Labelled[]
  changes: readonly Change[]
}

const MORE = /\b(?:more|de plus|mehr|mas)\b/
const LESS = /\b(?:less|fewer|de moins|weniger|menos)\b/
const DIFFERENCE = /\b(?:difference|gap|ecart|unterschied|diferencia)\b/
const SUM =
  /\b(?:together|combined|in total|in all|altogether|ensemble|au total|en tout|zusammen|insgesamt|gesamt|en total|en conjunto|juntos|juntas)\b/
const OF = /^\s(?:in|of|out of|sur|von|de|de cada)\s(?:the\s)?$/

/**
 * Returns whether a number of a sentence follows from two of the source: their difference, their sum, or a share, such as 10 %
 * for "1 of 10". `sameLanguage` allows subjects to be compared.
 */
export function isDerived(one: Quantity, said: string, source: Source, sameLanguage: boolean): boolean {
  const part = fold(partAround(said, one))
  const direction = one.direction ?? (MORE.test(part) ? 'up' : LESS.test(part) ? 'down' : null)
  const isDifference = direction !== null || DIFFERENCE.test(part)
  const isSum = SUM.test(part)
  const isShare = one.unit?.kind === 'percent'
  if (!isDifference && !isSum && !isShare) return false
  const subjects = subjectsOf(said, source, sameLanguage)
  if (
    isDifference &&
    source.changes.some((change) => isStep(one, direction, change) && subjects.has(change.to))
  )
    return true
  return source.quantities.some((a, at) =>
    source.quantities.slice(at + 1).some((b, distance) => {
      if (isShare && distance === 0 && isShareOf(one, a, b, source.rest) && subjects.has(a)) return true
      const isOfChange = source.changes.some(
        ({ from, to }) => [from, to].includes(a) && [from, to].includes(b),
      )
      if (isOfChange || !subjects.haveBoth(a, b)) return false
      const [x, y] = [measureOf(a), measureOf(b)]
      return (
        isAlike(a, b) &&
        ((isDifference && isEqual(one, a, Math.abs(x - y))) || (isSum && isEqual(one, a, x + y)))
      )
    }),
  )
}

/** Returns the part of a sentence between semicolons that contains a number. */
function partAround(said: string, { at }: Quantity): string {
  const ahead = said
    .slice(0, at)
    .split(/[;!?]|\.\s/)
    .at(-1)
  return `${ahead}${said.slice(at).split(/[;!?]|\.\s/, 1)[0]}`
}

/** Returns whether a number is the difference of a change, in its direction. */
function isStep(one: Quantity, direction: Direction | null, { from, to }: Change): boolean {
  const step = measureOf(to) - measureOf(from)
  if (direction !== null && direction !== (step > 0 ? 'up' : 'down')) return false
  return isAlike(from, to) && isEqual(one, to, Math.abs(step))
}

/** Returns which numbers of a source belong to a subject that the sentence names; all of them when it names none. */
function subjectsOf(said: string, { labelled }: Source, sameLanguage: boolean) {
  const words = new Set(stemsOf(said))
  const subjectOf = (one: Quantity) =>
    [...(labelled.find(({ quantity }) => quantity === one)?.words ?? [])][0]
  const isNamed = (subject: string | undefined) => subject !== undefined && words.has(subject)
  const namesNone = !labelled.some(({ words: [subject] }) => isNamed(subject))
  return {
    has: (one: Quantity) => !sameLanguage || namesNone || isNamed(subjectOf(one)),
    haveBoth: (a: Quantity, b: Quantity) => !sameLanguage || (isNamed(subjectOf(a)) && isNamed(subjectOf(b))),
  }
}

const measureOf = ({ values, unit }: Quantity) => (values[0] ?? Number.NaN) * (unit?.factor ?? 1)

const isAlike = (a: Quantity, b: Quantity) => a.unit?.kind === b.unit?.kind

/** Returns whether a number has this measure; `of` is one of the numbers it comes from. */
function isEqual(one: Quantity, of: Quantity, measure: number): boolean {
  // A bare number is no amount of euros.
  if (one.unit ? one.unit.kind !== of.unit?.kind : of.unit !== null) return false
  const slack = one.slack * (one.unit?.factor ?? 1)
  return Math.abs(measure - measureOf(one)) <= slack + 1e-9 * Math.max(1, Math.abs(measure))
}

/** Returns the numbers of "1 of 10", which are no percentages. */
export const partsOfShares = (rest: string, quantities: readonly Quantity[]): ReadonlySet<Quantity> =>
  new Set(
    quantities.flatMap((part, at) => {
      const whole = quantities[at + 1]
      return whole && isPartOf(part, whole, rest) ? [part, whole] : []
    }),
  )

const isPartOf = (part: Quantity, whole: Quantity, rest: string) =>
  part.unit === null && OF.test(rest.slice(part.at + part.text.length, whole.at))

const isShareOf = (one: Quantity, part: Quantity, whole: Quantity, rest: string) =>
  isPartOf(part, whole, rest) &&
  one.values.some((value) => Math.abs(value - (100 * measureOf(part)) / measureOf(whole)) <= 0.5)
