import { NUMBERED, stemsOf } from './clauses.ts'
import { scaleOf } from './number-words.ts'
import { withoutMeasures } from './quantities.ts'
import { isSameQuantity, type Quantity } from './quantity.ts'
import { isCompared, rangesIn } from './ranges.ts'

/** A number with the words that say what it is of. */
export type Labelled = { quantity: Quantity; words: ReadonlySet<string>; isAtHead: boolean }

const BREAK =
  /[.!?;]\s|\n|,\s|\s(?:and|but|while|whereas|et|mais|tandis que|und|aber|während|y|pero|mientras)\s|\|/giu

/** Verbs that lead from a subject to its number, and small words of measures. */
const LINKS = new Set(
  'betra belau amoun eleve ascie haute total cost costs coute kostet cuest month year monat annee jahr mes mois'.split(
    ' ',
  ),
)
const isYear = ({ unit, values: [value = 0], text }: Quantity) =>
  unit === null && /^(?:1[5-9]|20|21)\d\d$/.test(text) && value >= 1_500

/** Words for how often something happens; they fit any number. */
export const TIMES = /^(?:twice|thrice|\p{L}+mal)$/iu
const DETERMINER = /\b(?:the|an?|le|la|les|l['’]|un|une|der|die|das|ein|eine|el|los|las)\b/i
/** "Five of the nine members": both numbers are of the members. */
const OF_WHOLE = /^\s(?:of (?:the|all|its|their)|des|de las?|de los|sur les|der|von den|von)\s$/iu
/** "7 votes to 5": only their order tells the sides of a score apart. */
const SCORE =
  /^\s(?:votes?|voix|stimmen|votos|goals?|buts?|tore|goles)?\s?(?:(?:in favou?r|pour|dafür|a favor),?\s)?(?:to|against|contre|zu|gegen|contra|frente a|and|et|und|y)\s$/iu
const SIDE =
  /^\s(?:votes?|voix|stimmen|votos)?\s?(?:for|against|contre|pour|dagegen|dafür|en contra|a favor)\s?(?:,|and|et|und|y)?\s$/iu
const isOfScore = (text: string, a: Quantity | undefined, b: Quantity | undefined): boolean => {
  if (!a || !b || a.unit || b.unit) return false
  const between = text.slice(endOf(a), b.at)
  return (
    /(?:votes?|voix|stimmen|votos|goals?|buts?|tore|goles)/iu.test(text.slice(a.at, b.at + 30)) &&
    (SCORE.test(between) ||
      SIDE.test(between) ||
      / (?:contre|against|gegen|contra|dagegen) (?:et|and|und|y) $/iu.test(between))
  )
}
const SENTENCE_END = /[.!?;]\s|\n/g

/** Each number of a text with the words of its part of the sentence; years are words. */
export function labelNumbers(text: string, all: readonly Quantity[]): Labelled[] {
  const named = withoutNames(text, all).filter((one) => !isYear(one) && !TIMES.test(one.text))
  const quantities = named.filter(
    (one, at) => !isOfScore(text, named[at - 1], one) && !isOfScore(text, one, named[at + 1]),
  )
  const ranges = rangesIn(text, quantities)
  const isInRange = (at: number) => ranges.some(({ from, to }) => at > from.at && at <= to.at)
  const breaks = breaksOf(text, BREAK).filter((at) => !isInRange(at))
  const sentences = breaksOf(text, SENTENCE_END)
  const bare = withoutMeasures(text, quantities)
  const labelled = quantities.map((quantity) => {
    const [from, to] = partOf(quantity, breaks)
    const others = quantities.filter((one) => one !== quantity && one.at >= from && one.at < to)
    const before = others.findLast((one) => one.at < quantity.at)
    const after = others.find((one) => one.at > quantity.at)
    const left = before ? endOf(before) : from
    // The words of a number stand ahead of it where the first number of the part has some there.
    const first = Math.min(quantity.at, ...others.map(({ at }) => at))
    const isShare = after !== undefined && OF_WHOLE.test(text.slice(endOf(quantity), after.at))
    const right =
      !after || isShare ? to : labelOf(bare.slice(from, first)).length > 0 ? endOf(quantity) : after.at
    const [begin] = partOf(quantity, sentences)
    const head = Math.min(quantity.at, ...quantities.filter(({ at }) => at >= begin).map(({ at }) => at))
    // A whole is known only by the thing that follows it, because the statement holds for its share.
    if (before && OF_WHOLE.test(text.slice(endOf(before), quantity.at)))
      return { quantity, isAtHead: true, words: new Set(labelOf(bare.slice(quantity.at, to)).slice(0, 1)) }
    const shared = inherited(bare.slice(left, quantity.at), labelOf(bare.slice(begin, head)))
    // A year belongs to the number ahead of it; ahead of all numbers it belongs to each.
    const isOwn = ({ at }: Quantity) => (at > quantity.at ? !after || at < after.at : !before)
    const own = all.filter((one) => isYear(one) && one.at >= from && one.at < to && isOwn(one))
    // A year at the head of a sentence holds for its later parts.
    const when = own.length > 0 ? own : all.filter((one) => isYear(one) && one.at >= begin && one.at < head)
    return {
      quantity,
      isAtHead: labelOf(bare.slice(from, quantity.at)).length === 0,
      words: new Set([
        ...shared,
        ...goesOn(bare.slice(left, quantity.at), before ? labelOf(bare.slice(from, first)) : []),
        // "Rose 9 % to 3.4 billion" has one subject.
        ...(before && labelOf(bare.slice(left, to)).length === 0 ? labelOf(bare.slice(from, first)) : []),
        ...labelOf(bare.slice(left, right)),
        ...labelOf(/^\s\p{L}{4,}/u.exec(bare.slice(endOf(quantity), to))?.[0] ?? ''),
        ...when.map(({ text: year }) => `y${year}`),
      ]),
    }
  })
  return labelled.map((one, at) => {
    const before = labelled[at - 1]
    // "97 million, against 112 million a year earlier": both numbers are of one thing.
    const isOfBoth = before && isCompared(text, before.quantity, one.quantity)
    return isOfBoth ? { ...one, words: new Set([...one.words, ...before.words]) } : one
  })
}

/** The subject of a part also belongs to a verb after its first number: "the train of 7:12 arrives at 8:49". */
const goesOn = (between: string, head: readonly string[]): readonly string[] =>
  labelOf(/^\s*\p{Ll}{3,}/u.exec(between)?.[0] ?? '').length > 0 ? head.slice(0, 1) : []

/** Returns the numbers of a text, except those that name a thing, such as "line 4". */
export function withoutNames(text: string, all: readonly Quantity[]): Quantity[] {
  const names = new Set(Array.from(text.matchAll(NUMBERED), ({ index, 0: { length } }) => index + length))
  return all.filter((one) => !names.has(endOf(one)))
}

/** Words a later part of a sentence leaves out because they stand at its head: all where it has none, the subject where it has a verb. */
function inherited(front: string, head: string[]): string[] {
  const own = labelOf(front)
  if (own.length === 0) return head
  const isOther = CONTRASTS.some((words) => words.includes(own[0] ?? '') && words.includes(head[0] ?? ''))
  return own.length === 1 && !isOther && !DETERMINER.test(front) ? head.slice(0, 1) : []
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
  stemsOf(text.replace(/\p{L}+/gu, (word) => (scaleOf(word) === null ? word : ' '))).filter(
    (word) => !LINKS.has(word),
  )

/** Whether a number is said of what another number of its source belongs to: the first word that tells them apart decides. */
export function isExchanged(said: Labelled, known: readonly Labelled[]): boolean {
  const own = known.filter(({ quantity }) => isSameQuantity(said.quantity, quantity))
  if (own.length === 0) return false
  const others = known.filter(
    ({ quantity }) =>
      !isSameQuantity(said.quantity, quantity) && quantity.isOrdinal === said.quantity.isOrdinal,
  )
  const isOfOther = (one: Labelled, other: Labelled) => {
    if (isContrast(said.words, one.words, other.words) || isOtherNumber(said.words, one.words, other.words))
      return true
    if (isContrast(said.words, other.words, one.words)) return false
    if ([...EARLIER].some((word) => said.words.has(word) && other.words.has(word) && !one.words.has(word)))
      return true
    if (
      isComparable(other.quantity, said.quantity) &&
      isParallel([...said.words], [...one.words], [...other.words])
    )
      return true
    const telling = [...said.words]
      .sort(yearsFirst)
      .find((word) => one.words.has(word) !== other.words.has(word))
    if (telling === undefined || one.words.has(telling)) return false
    const [first] = said.words
    // For a number of another kind, only a word behind the subject tells, and only when nothing said belongs to its own number alone.
    const isOtherKind = !isOneKind(other.quantity, said.quantity)
    if (isOtherKind && (telling === first || one.words.size === 0 || sharedAlone(said, one, other) > 0))
      return false
    // More of what is said belongs to its own number.
    if (!/^y\d/.test(telling) && shared(said, one) > shared(said, other)) return false
    // Ahead of its words a number says nothing about the first of them.
    return !said.isAtHead || ![...said.words].some((word) => one.words.has(word) && !other.words.has(word))
  }
  return own.every((one) => others.some((other) => isOfOther(one, other)))
}

/** Returns whether a number of line 4 is given to line 8, which has a number of its own. */
const isOtherNumber = (said: ReadonlySet<string>, one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...said].some((word) => {
    const [noun = '', number] = word.split('qx')
    return number && other.has(word) && !one.has(word) && [...one].some((own) => own.startsWith(`${noun}qx`))
  })

/** "Pupils of secondary school" where "pupils of primary school" and "pupils of secondary school" have each a number. */
function isParallel(said: readonly string[], one: readonly string[], other: readonly string[]): boolean {
  const at = said.findIndex((word, index) => word !== one[index])
  if (at < 1 || at >= one.length || said[at] !== other[at] || said[at] === undefined) return false
  const same = said.slice(0, at).every((word, index) => word === other[index])
  return same && !one.includes(said[at]) && !said.includes(one[at] ?? '')
}

/** Beginnings of words that name an earlier period. */
const EARLIER = new Set('earli previ prece vorja vorig anter'.split(' '))

/** Groups of words that exclude each other. */
const CONTRASTS = [
  'first last',
  'north south east west',
  'upper lower',
  'men women',
  'adult child',
  'gross net',
  'summe winte',
  'domes forei',
  'impor expor',
  'premi derni',
  'nord sud est ouest',
  'homme femme',
  'adult enfan',
  'brut net',
  'ete hiver',
  'erste letzt',
  'nord sud ost west',
  'manne fraue',
  'erwac kinde',
  'brutt netto',
  'somme winte',
  'prime ultim',
  'norte sur este oeste',
  'hombr mujer',
  'veran invie',
].map((line) => line.split(' '))

/** Returns whether a number of the first thing is given to the last one, which has a number of its own. */
const isContrast = (said: ReadonlySet<string>, one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  CONTRASTS.some((words) => {
    const [a, b, c] = [said, one, other].map((some) => words.filter((word) => some.has(word)))
    return a?.length === 1 && b?.length === 1 && c?.length === 1 && a[0] !== b[0] && a[0] === c[0]
  })

const shared = (said: Labelled, known: Labelled) =>
  [...said.words].filter((word) => known.words.has(word)).length
const sharedAlone = (said: Labelled, one: Labelled, other: Labelled) =>
  [...said.words].filter((word) => one.words.has(word) && !other.words.has(word)).length

const yearsFirst = (a: string, b: string) => Number(/^y\d/.test(b)) - Number(/^y\d/.test(a))

const isComparable = (a: Quantity, b: Quantity) =>
  isOneKind(a, b) ||
  (![a, b].some(({ unit }) => unit?.kind === 'percent') && (a.unit === null || b.unit === null))

const isOneKind = (a: Quantity, b: Quantity) =>
  a.unit === null || b.unit === null ? a.unit === b.unit : a.unit.kind === b.unit.kind
