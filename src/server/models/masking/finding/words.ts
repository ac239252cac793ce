/** A word of a text. `shape`: begins with a capital, is written in capitals, is an initial with its point, or anything else. */
export type Word = { at: number; end: number; text: string; shape: 'capital' | 'upper' | 'initial' | 'lower' }

const WORD = /\p{Lu}\.(?:[ -]?\p{Lu}\.(?!\p{L}))?|[\p{L}\p{M}]{1,40}(?:['’-][\p{L}\p{M}]{1,40}){0,5}/gu

export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(WORD)) {
    const [found] = match
    words.push({ at: match.index, end: match.index + found.length, text: found, shape: shapeOf(found) })
  }
  return words
}

function shapeOf(word: string): Word['shape'] {
  if (/^\p{Lu}\./u.test(word)) return 'initial'
  const first = word[0] ?? ''
  if (first === first.toLowerCase()) return 'lower'
  return word.length > 1 && word === word.toUpperCase() ? 'upper' : 'capital'
}
