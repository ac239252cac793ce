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

/** Returns where the terms are, in order and without overlaps, from the first match to the end of its excerpt. */
function findMatches(text: string, terms: readonly Term[]): Match[] {
  const source = splitWords(text)
  const longest = Math.max(...terms.map((term) => term.words.length))
  const words: Word[] = []
  const found: Match[] = []
  for (let at = 0; ; at += 1) {
    while (words.length < at + longest) {
      const { value, done } = source.next()
      if (done) break
      words.push(value)
    }
    const word = words[at]
    const isPast = found[0] && word && word.from > found[0].from + MAX_EXCERPT
    if (!word || isPast) break
    for (const term of terms) {
      const last = words[at + term.words.length - 1]
      if (last && isAt(term, words, at)) found.push({ from: word.from, to: last.to })
    }
  }
  return withoutOverlaps(found)
}

function withoutOverlaps(found: Match[]): Match[] {
  const ordered = found.sort((a, b) => a.from - b.from || b.to - a.to)
  let end = 0
  return ordered.filter(({ from, to }) => {
    if (from < end) return false
    end = to
    return true
  })
}

type Word = { folded: string; from: number; to: number }

/** Returns whether the words of a term follow each other from a place on. */
function isAt({ words, isOpen }: Term, all: readonly Word[], at: number): boolean {
  return words.every((word, place) => {
    const found = all[at + place]?.folded
    const mayGoOn = isOpen && place === words.length - 1
    return found === word || (mayGoOn && found?.startsWith(word))
  })
}

/** Splits a text into its words, as the index has them, with their places. */
function* splitWords(text: string): Generator<Word, undefined> {
  for (const { index, 0: whole } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = foldText(whole).trim()
    if (folded.includes(' ')) yield* splitLetters(whole, index)
    else yield { folded, from: index, to: index + whole.length }
  }
}

/** Splits a word of a script whose letters are words of their own. Other letters in it stay together. */
function* splitLetters(whole: string, start: number): Generator<Word> {
  let at = start
  let open: Word | undefined
  for (const letter of whole) {
    const folded = foldText(letter)
    const to = at + letter.length
    const before: Word | undefined = open
    open = undefined
    if (folded.startsWith(' ')) {
      if (before) yield before
      yield { folded: folded.trim(), from: at, to }
    } else if (before) open = { folded: before.folded + folded, from: before.from, to }
    else open = { folded, from: at, to }
    at = to
  }
  if (open) yield open
}
