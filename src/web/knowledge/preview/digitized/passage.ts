import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import type { Span } from './read-piece.ts'

/** Characters of a passage that identify its place. */
const RECOGNISED = 80

/**
 * Returns the range of a passage in its document's Markdown: its recorded place, unless the text there differs (it may be
 * of an earlier version), otherwise wherever its words are. Null if they are missing.
 */
export function findPassage(
  markdown: string,
  { place: { span }, text }: Pick<Chunk, 'place' | 'text'>,
): Span | null {
  // Each element is a line; text in between, such as an item's number, is not part of it.
  const [first = ''] = text.split('\n')
  const beginning = lettersOf(first).letters.slice(0, RECOGNISED)
  if (span && lettersOf(markdown.slice(...span)).letters.includes(beginning)) return span
  return findLetters(markdown, text) ?? findLetters(markdown, first)
}

/** Finds the letters and digits of a text in another one, ignoring everything else. */
export function findLetters(text: string, sought: string): Span | null {
  const { letters, places } = lettersOf(text)
  const wanted = lettersOf(sought).letters
  const at = wanted === '' ? -1 : letters.indexOf(wanted)
  return at < 0 ? null : [places[at]!, places[at + wanted.length - 1]! + 1]
}

/** Returns the letters and digits of a text with their positions. */
function lettersOf(text: string): { letters: string; places: number[] } {
  const places: number[] = []
  let letters = ''
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    letters += run
    for (let at = 0; at < run.length; at++) places.push(index + at)
  }
  return { letters, places }
}
