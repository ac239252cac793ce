export type Counts = { words: number; characters: number; letters: number; sentences: number; lines: number }

/** Counts characters as users see them. A word is between spaces and has a letter or a digit. */
export function countText(text: string): Counts {
  const characters = [...new Intl.Segmenter().segment(text)].length
  const spaces = text.match(/\s/g)?.length ?? 0
  return {
    words: text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    characters,
    letters: characters - spaces,
    sentences: Math.max(text.match(/[.!?…](?=\s|$)/g)?.length ?? 0, text.trim() === '' ? 0 : 1),
    lines: text.split('\n').filter((line) => line.trim() !== '').length,
  }
}
