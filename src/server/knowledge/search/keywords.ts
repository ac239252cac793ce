import type { Words } from '../../platform/vectors/vectors.ts'

/** A parsed query: words, and the operators `title:` `type:` `workspace:` that narrow the scope. */
export type Keywords = Words & { title: string[]; type: string[]; workspace: string[] }

const PIECES = /(-?)(?:(title|type|workspace):)?(?:"([^"]*)"|“([^”]*)”|«([^»]*)»|(\S+))/giu

/** A longer query is prose, whose quotes are punctuation. */
const SEARCH_WORDS_MAX = 24

/** Parses a query. Quotes mark a phrase, a minus excludes. */
export function readKeywords(query: string): Keywords {
  const read: Keywords & { any: string; phrases: string[]; without: string[] } = {
    ...{ any: '', phrases: [], without: [], title: [], type: [], workspace: [] },
  }
  if (query.trim().split(/\s+/u).length > SEARCH_WORDS_MAX) return { ...read, any: query }
  const words: string[] = []
  for (const [whole, minus, field, ...quoted] of query.matchAll(PIECES)) {
    const word = quoted.pop()
    const value = (quoted.find((text) => text !== undefined) ?? word ?? '').trim()
    if (!/[\p{L}\p{N}]/u.test(value)) continue
    if (field) read[field.toLowerCase() as 'title' | 'type' | 'workspace'].push(value)
    else if (minus) read.without.push(value)
    else if (word === undefined) read.phrases.push(value)
    else words.push(whole)
  }
  return { ...read, any: words.join(' ') }
}
