/** Characters of the text shown on each side of a hit. */
const AROUND = 60

/** The passage around the first hit of `query`, the hit between U+E000 and U+E001; null when there is none. */
export function markMatch(text: string, query: string): string | null {
  const plain = text.replace(/[\u{E000}\u{E001}]/gu, '').replace(/\s+/g, ' ')
  const words = query.trim().replace(/\s+/g, ' ')
  const found = new RegExp(words.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'), 'i').exec(plain)
  if (!found || words === '') return null
  const from = Math.max(0, found.index - AROUND)
  const to = found.index + found[0].length
  const before = plain.slice(from, found.index)
  const after = plain.slice(to, to + AROUND)
  const marked = `\u{E000}${found[0]}\u{E001}`
  return `${from > 0 ? '…' : ''}${before}${marked}${after}${to + AROUND < plain.length ? '…' : ''}`.toWellFormed()
}

/** A text that LIKE takes literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
