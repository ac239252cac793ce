import { stemsOf } from './clauses.ts'
import type { Labelled } from './exchanged.ts'
import type { Quantity } from './quantity.ts'
import type { Change } from './ranges.ts'
import type { Direction } from './terms.ts'
import { fold } from './text-language.ts'

type Share = { part: Quantity; whole: Quantity }

/** The numbers of a source, their subjects, its changes and its shares. */
type Source = {
  quantities: readonly Quantity[]
  labelled: readonly Labelled[]
  changes: readonly Change[]
  shares: readonly Share[]
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
  const isPercent = one.unit?.kind === 'percent'
  if (!isDifference && !isSum && !isPercent) return false
  const subjects = subjectsOf(said, source, sameLanguage)
  const { changes, shares, quantities } = source
  const ends = changes.map(({ to }) => to)
  const isStepHere = (change: Change) => isStep(one, direction, change) && subjects.fitsBest(change.to, ends)
  if (isDifference && changes.some(isStepHere)) return true
  const parts = shares.map(({ part }) => part)
  if (isPercent && shares.some((share) => isShareOf(one, share) && subjects.fitsBest(share.part, parts)))
    return true
  return quantities.some((a, at) =>
    quantities.slice(at + 1).some((b) => {
      const isOfChange = changes.some(({ from, to }) => [from, to].includes(a) && [from, to].includes(b))
      if (isOfChange || !isAlike(a, b) || !subjects.namesBoth(a, b)) return false
      const [x, y] = [measureOf(a), measureOf(b)]
      return (isDifference && isEqual(one, a, Math.abs(x - y))) || (isSum && isEqual(one, a, x + y))
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

/** Compares the subjects of numbers of a source with the words of a sentence. */
function subjectsOf(said: string, { labelled }: Source, sameLanguage: boolean) {
  const words = new Set(stemsOf(said))
  const labels = new Map(labelled.map((one) => [one.quantity, [...one.words]]))
  const isNamed = (one: Quantity) => words.has(labels.get(one)?.[0] ?? '')
  /** The first word, which is the subject, counts twice. */
  const overlapOf = (one: Quantity) =>
    (labels.get(one) ?? []).filter((word) => words.has(word)).length + Number(isNamed(one))
  return {
    /** Returns whether no other candidate fits the words of the sentence better. */
    fitsBest: (one: Quantity, candidates: Iterable<Quantity>) =>
      !sameLanguage || [...candidates].every((other) => overlapOf(other) <= overlapOf(one)),
    /** Returns whether the sentence names the subjects of both numbers. */
    namesBoth: (a: Quantity, b: Quantity) => !sameLanguage || (isNamed(a) && isNamed(b)),
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

/** Returns the shares of a text, such as "1 of 10". Their numbers are no percentages. */
export const sharesIn = (text: string, quantities: readonly Quantity[]): Share[] =>
  quantities.flatMap((part, at) => {
    const whole = quantities[at + 1]
    return whole && part.unit === null && OF.test(text.slice(part.at + part.text.length, whole.at))
      ? [{ part, whole }]
      : []
  })

const isShareOf = ({ values }: Quantity, { part, whole }: Share) =>
  values.some((value) => Math.abs(value - (100 * measureOf(part)) / measureOf(whole)) <= 0.5)
