import type { SearchHit } from '#shared/chat/search/search.ts'

type Address = { to: string; search: Record<string, string> }

/** Longest search of the memory page. */
const MAX_WORDS = 200

/** Returns the address where a hit opens: at its message, passage, prompt or fact. */
export function addressOf(hit: SearchHit): Address {
  const { kind, id, thing_id, is_title, excerpt } = hit
  switch (kind) {
    case 'chat':
      return { to: `/chat/${thing_id}`, search: is_title ? {} : { message: id } }
    case 'document':
      return { to: `/documents/preview/${thing_id}`, search: is_title ? {} : { chunk: id } }
    case 'prompt':
      return { to: `/prompts/${id}`, search: {} }
    case 'memory':
      return { to: '/memory', search: { q: wordsOf(excerpt) } }
    default:
      return kind satisfies never
  }
}

/** Returns the beginning of a fact, which the memory page finds again; whole words only. */
function wordsOf(excerpt: string): string {
  const text = excerpt.replace(/[\uE000\uE001]/g, '')
  const plain = text.replace(/^…/, '').replace(/…$/, '')
  if (plain.length <= MAX_WORDS) return plain
  const cut = plain.slice(0, MAX_WORDS)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 0)) || cut
}
