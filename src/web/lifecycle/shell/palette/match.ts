import { type EntryGroup, groups, type PaletteEntry } from './entry.ts'

/** Words from this length are also found inside other words, as on the server. */
const MIN_INSIDE = 3
/** Maximum entries of one group. */
const MAX_SHOWN = 6
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Returns the words of a text in lower case without accents, each after one space. */
export function foldWords(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^ ?/, ' ')
    .trimEnd()
}

/**
 * Returns how well a text has all the words: 0 when it begins with them, 1 when every word begins a word, 2 when some are inside of words, null
 * when one is missing.
 */
export function rankOf(text: string, typed: string): number | null {
  const [folded, wanted] = [foldWords(text), foldWords(typed)]
  const words = wanted.split(' ').filter(Boolean)
  if (words.every((word) => folded.includes(` ${word}`))) return folded.startsWith(wanted) ? 0 : 1
  const isInside = (word: string) => (word.length >= MIN_INSIDE || wide.test(word)) && folded.includes(word)
  return words.every((word) => folded.includes(` ${word}`) || isInside(word)) ? 2 : null
}

/** Returns the entries that have all the words, the best first. */
export function filterEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const ranked = entries.flatMap((entry) => {
    const rank = rankOf(`${entry.title} ${entry.words ?? ''}`, typed)
    return rank === null ? [] : { entry, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

/** Returns the entries by group, the group with the best match first. The order of the entries in a group stays. */
export function groupEntries(
  entries: readonly PaletteEntry[],
  typed: string,
  limit = MAX_SHOWN,
): EntryGroup[] {
  const found = groups.flatMap((group) => {
    const members = entries.filter((entry) => entry.group === group).slice(0, limit)
    return members.length > 0 ? { group, entries: members } : []
  })
  if (typed === '') return found
  const best = ({ group, entries: [first] }: EntryGroup) =>
    group === 'message' ? 4 : ((first && rankOf(first.title, typed)) ?? 3)
  return found.sort((a, b) => best(a) - best(b))
}
