import type { MatchPart } from '../../../platform/ui/marked.tsx'

/** Characters of a snippet before its first hit, and in all. */
const BEFORE = 60
const MAX_SNIPPET = 220

/** Returns the words of a search that can be marked: without quotes, a leading minus and names of fields. */
export function wordsToMark(query: string): string[] {
  const words = query.split(/\s+/).filter((word) => !word.startsWith('-'))
  const plain = words.map((word) => word.replace(/^\w+:/, '').replace(/[^\p{L}\p{N}.,'’-]/gu, ''))
  return [...new Set(plain.map((word) => word.toLowerCase()).filter((word) => word.length > 1))]
}

/** Returns the part of a passage around its first hit, with all hits marked; the beginning without one. */
export function snippetOf(passage: string, words: readonly string[]): MatchPart[] {
  const text = passage.replace(/\s+/g, ' ').trim()
  const first = nextHit(text.toLowerCase(), words, 0)
  const start = Math.max(0, (first?.at ?? 0) - BEFORE)
  const shown = text.slice(start, start + MAX_SNIPPET)
  const isCut = start + MAX_SNIPPET < text.length
  return mark(`${start > 0 ? '…' : ''}${shown}${isCut ? '…' : ''}`, words)
}

function mark(text: string, words: readonly string[]): MatchPart[] {
  const lower = text.toLowerCase()
  const parts: MatchPart[] = []
  let from = 0
  for (let hit = nextHit(lower, words, 0); hit; hit = nextHit(lower, words, from)) {
    parts.push({ text: text.slice(from, hit.at), isHit: false })
    from = hit.at + hit.length
    parts.push({ text: text.slice(hit.at, from), isHit: true })
  }
  return [...parts, { text: text.slice(from), isHit: false }].filter((part) => part.text !== '')
}

function nextHit(text: string, words: readonly string[], from: number) {
  const hits = words.map((word) => ({ at: text.indexOf(word, from), length: word.length }))
  const found = hits.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at || b.length - a.length)
  return found[0] ?? null
}
