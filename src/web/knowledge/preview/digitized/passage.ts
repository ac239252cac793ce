import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import type { Span } from './read-piece.ts'

/** Letters of a passage by which its place is recognised. */
const RECOGNISED = 80

/**
 * Where a passage stands in the Markdown of its document: at its place, unless other words stand there (it may be of an earlier
 * version), else wherever its words are. Null when they are nowhere.
 */
export function findPassage(
  markdown: string,
  { place: { span }, text }: Pick<Chunk, 'place' | 'text'>,
): Span | null {
  // Each of its elements is a line: what stands between them, as the number of an item, is not in it.
  const [first = ''] = text.split('\n')
  const beginning = lettersOf(first).letters.slice(0, RECOGNISED)
  if (span && lettersOf(markdown.slice(...span)).letters.includes(beginning)) return span
  return findLetters(markdown, text) ?? findLetters(markdown, first)
}

/** Where the letters and digits of a text stand in another one, whatever stands between them. */
export function findLetters(text: string, sought: string): Span | null {
  const { letters, places } = lettersOf(text)
  const wanted = lettersOf(sought).letters
  const at = wanted === '' ? -1 : letters.indexOf(wanted)
  return at < 0 ? null : [places[at]!, places[at + wanted.length - 1]! + 1]
}

/** The letters and digits of a text, each with its place. */
function lettersOf(text: string): { letters: string; places: number[] } {
  const places: number[] = []
  let letters = ''
  for (const { 0: run, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    letters += run
    for (let at = 0; at < run.length; at++) places.push(index + at)
  }
  return { letters, places }
}
