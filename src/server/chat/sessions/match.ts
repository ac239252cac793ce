import { plainOf } from '#shared/chat/sessions/preview.ts'
import { withoutCutCitations } from '#shared/platform/citations/citation-tags.ts'

/** Characters shown on each side of a match. */
const AROUND = 60

/**
 * Returns plain text around the first match of `query`, with the match between U+E000 and U+E001. Markdown marks stay
 * when they are part of the match. Returns null without a match.
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

/** Folds case without moving characters. The two exceptions would change the length or depend on neighbours. */
function fold(text: string): string {
  return text.replaceAll('İ', 'I').toLowerCase().replaceAll('ς', 'σ')
}

/** Escapes a text for LIKE. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
