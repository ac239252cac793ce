/** Names of the months in the product's languages, without accents. */
const MONTHS = [
  ['january', 'janvier'],
  ['february', 'fevrier'],
  ['march', 'mars'],
  ['april', 'avril'],
  ['may', 'mai'],
  ['june', 'juin'],
  ['july', 'juillet'],
  ['august', 'aout'],
  ['september', 'septembre'],
  ['october', 'octobre'],
  ['november', 'novembre'],
  ['december', 'decembre'],
] as const
const SHORTEST = 3
const WORD_OR_NUMBER = /\p{L}+|\d+/gu
/** A numeric date: day, month and year in any order. */
const DIGITS = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/gu

type Said = { month: number; text: string }

/** Returns months next to a day or a year, as written: `5 March`, `mars 2026`. */
export function datesIn(text: string): Said[] {
  const parts = [...text.matchAll(WORD_OR_NUMBER)]
  return parts.flatMap(([word], at) => {
    const month = monthOf(word, false)
    if (month === null) return []
    const [before, after] = [parts[at - 1], parts[at + 1]]
    const isBeside = (one: RegExpExecArray | undefined) => one !== undefined && /^\d/.test(one[0])
    if (!isBeside(before) && !isBeside(after)) return []
    const first = isBeside(before) ? before : parts[at]
    const last = isBeside(after) ? after : parts[at]
    const [from, to] = [first?.index ?? 0, (last?.index ?? 0) + (last?.[0].length ?? 0)]
    return [{ month, text: text.slice(from, to) }]
  })
}

/** Returns all months that a text may mention: by name, by abbreviation, or in numeric dates. */
export function monthsIn(text: string): Set<number> {
  const named = Array.from(text.matchAll(WORD_OR_NUMBER), ([word]) => monthOf(word, true))
  const dated = Array.from(text.matchAll(DIGITS), ([date]) => date.split(/\D/).map(Number))
  return new Set(
    [...named, ...dated.flat()].filter((month) => month !== null && month >= 1 && month <= 12) as number[],
  )
}

function monthOf(word: string, mayBeShort: boolean): number | null {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (plain.length < SHORTEST) return null
  const at = MONTHS.findIndex((names) =>
    names.some((name) => name === plain || (mayBeShort && name.startsWith(plain))),
  )
  return at < 0 ? null : at + 1
}
