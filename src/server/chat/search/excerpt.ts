import { plainOf } from '#shared/chat/sessions/preview.ts'
import { withoutCutCitations } from '#shared/platform/citations/citation-tags.ts'
import { foldCase, type Term } from './read-query.ts'

/** Characters before the first match, and of the whole excerpt. */
const BEFORE = 160
const MAX_EXCERPT = 900
/** Maximum marked matches, which have two characters more each. */
const MAX_MARKS = 40

/**
 * Returns plain text around the first match, with each match between U+E000 and U+E001. Markdown marks stay when the words
 * are part of them. Without a match it returns the beginning.
 */
export function excerptOf(text: string, terms: readonly Term[]): string {
  const clean = withoutCutCitations(text.replace(/[\u{E000}\u{E001}]/gu, ''))
  const plain = plainOf(clean)
  const raw = clean.replace(/\s+/g, ' ')
  const shown = [plain, raw].find((one) => findMatches(one, terms).length > 0) ?? plain
  return markMatches(shown, findMatches(shown, terms))
}

type Match = { from: number; to: number }

function markMatches(text: string, matches: readonly Match[]): string {
  const first = matches[0]?.from ?? 0
  const from = wordStart(text, Math.max(0, first - BEFORE))
  const to = Math.min(text.length, from + MAX_EXCERPT)
  let at = from
  let marked = ''
  for (const match of matches.slice(0, MAX_MARKS)) {
    if (match.from < at || match.to > to) continue
    marked += `${text.slice(at, match.from)}\u{E000}${text.slice(match.from, match.to)}\u{E001}`
    at = match.to
  }
  return `${from > 0 ? '…' : ''}${marked}${text.slice(at, to)}${to < text.length ? '…' : ''}`.toWellFormed()
}

/** Moves a cut behind the next space, so that no word is cut at the beginning. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.indexOf(' ', at)
  return space >= 0 && space - at < 40 ? space + 1 : at
}

/** Returns where the terms are in a text, in order and without overlaps. */
function findMatches(text: string, terms: readonly Term[]): Match[] {
  const { folded, places } = foldWithPlaces(text)
  const found = terms.flatMap((term) =>
    [...folded.matchAll(patternOf(term))].map(
      ({ index, 0: match }): Match => ({
        from: places[index] ?? 0,
        to: places[index + match.length] ?? text.length,
      }),
    ),
  )
  const ordered = found.sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  return ordered.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })
}

const BETWEEN = '[^\\p{L}\\p{N}]*'
const spaceless = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]$/u

function patternOf({ words, isOpen }: Term): RegExp {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const before = spaceless.test(first) ? '' : '(?<![\\p{L}\\p{N}\\p{M}])'
  const after = isOpen || spaceless.test(last) ? '' : '(?![\\p{L}\\p{N}\\p{M}])'
  return new RegExp(`${before}${words.join(BETWEEN)}${after}`, 'gu')
}

/** Folds case and accents. `places` has the place in the text of each folded character, and of the end. */
function foldWithPlaces(text: string): { folded: string; places: number[] } {
  let folded = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const plain = character < '\u0080' ? character.toLowerCase() : foldCase(character)
    for (let n = 0; n < plain.length; n += 1) places.push(at)
    folded += plain
    at += character.length
  }
  return { folded, places: [...places, at] }
}
