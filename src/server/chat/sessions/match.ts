import { plainOf } from '#shared/chat/sessions/preview.ts'
import { withoutCutCitations } from '#shared/platform/citations/citation-tags.ts'

/** Characters of the text shown on each side of a hit. */
const AROUND = 60

/**
 * The passage around the first hit of `query` in plain words, the hit between U+E000 and U+E001; with its Markdown
 * marks where they are part of the hit. Null when there is none.
 */
export function markMatch(text: string, query: string): string | null {
  const clean = withoutCutCitations(text.replace(/[\u{E000}\u{E001}]/gu, ''))
  return mark(plainOf(clean), query) ?? mark(clean.replace(/\s+/g, ' '), query)
}

function mark(plain: string, query: string): string | null {
  const words = query.trim().replace(/\s+/g, ' ')
  const at = fold(plain).indexOf(fold(words))
  if (at < 0 || words === '') return null
  const from = Math.max(0, at - AROUND)
  const to = at + words.length
  const before = plain.slice(from, at)
  const after = plain.slice(to, to + AROUND)
  const marked = `\u{E000}${plain.slice(at, to)}\u{E001}`
  return `${from > 0 ? '…' : ''}${before}${marked}${after}${to + AROUND < plain.length ? '…' : ''}`.toWellFormed()
}

/** Without regard to case, every character at its place: these two would change their length or with their neighbours. */
function fold(text: string): string {
  return text.replaceAll('İ', 'I').toLowerCase().replaceAll('ς', 'σ')
}

/** A text that LIKE takes literally. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
