import { plainOf } from '#shared/chat/sessions/preview.ts'
import { withoutCutCitations } from '#shared/platform/citations/citation-tags.ts'
import { foldText, type Term } from './read-query.ts'

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
  const words = splitWords(text)
  const found = terms.flatMap((term) =>
    words.flatMap((first, at): Match[] => {
      const last = words[at + term.words.length - 1]
      return last && isAt(term, words, at) ? [{ from: first.from, to: last.to }] : []
    }),
  )
  const ordered = found.sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  return ordered.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })
}

type Word = {
  folded: string
  from: number
  to: number
  /** True for a letter that is a word of its own. */
  isAlone?: boolean
}

/** Returns whether the words of a term follow each other from a place on. */
function isAt({ words, isOpen }: Term, all: readonly Word[], at: number): boolean {
  return words.every((word, place) => {
    const found = all[at + place]?.folded
    const mayGoOn = isOpen && place === words.length - 1
    return found === word || (mayGoOn && found?.startsWith(word))
  })
}

/** Splits a text into its words, as the index has them, with their places. */
function splitWords(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(({ index, 0: whole }) => {
    const folded = foldText(whole).trim()
    if (!folded.includes(' ')) return [{ folded, from: index, to: index + whole.length }]
    return splitLetters(whole, index)
  })
}

/** Splits a word of a script whose letters are words of their own. Other letters in it stay together. */
function splitLetters(whole: string, start: number): Word[] {
  const words: Word[] = []
  let at = start
  for (const letter of whole) {
    const folded = foldText(letter)
    const before = words.at(-1)
    const isAlone = folded.startsWith(' ')
    const joins = before !== undefined && before.to === at && !isAlone && !before.isAlone
    if (joins) Object.assign(before, { folded: before.folded + folded, to: at + letter.length })
    else words.push({ folded: folded.trim(), from: at, to: at + letter.length, isAlone })
    at += letter.length
  }
  return words
}
