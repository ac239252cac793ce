/** Maximum words of a search; further words are ignored. */
const MAX_WORDS = 16
/** The same letters as in `search_fold` (migration 0460): each is a word of its own. */
const alone = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/gu

/** A term of a search: its folded words, which must follow each other. */
export type Term = {
  words: string[]
  /** True when the last word may be the beginning of a word. */
  isOpen: boolean
}

/** Parses a search into terms. Quotes enclose a phrase. The last word is open unless it is quoted. */
export function readQuery(query: string): Term[] {
  const pieces = splitQuotes(query)
  const terms = pieces.flatMap(({ text, isQuoted }, at): Term[] => {
    if (isQuoted) return termOf(text, false)
    const words = text.split(/\s+/u).filter((word) => word !== '')
    const isLast = at === pieces.length - 1
    return words.flatMap((word, place) => termOf(word, isLast && place === words.length - 1))
  })
  return terms.slice(0, MAX_WORDS)
}

function termOf(text: string, isOpen: boolean): Term[] {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.length > 0 ? [{ words, isOpen }] : []
}

const closing: Record<string, string> = { '"': '"', '“': '”', '«': '»' }

/** Splits a query into quoted and other parts. A quote that does not end is no quote. */
function splitQuotes(query: string): { text: string; isQuoted: boolean }[] {
  const parts: { text: string; isQuoted: boolean }[] = []
  let from = 0
  for (let at = 0; at < query.length; at += 1) {
    const close = closing[query.charAt(at)]
    const end = close === undefined ? -1 : query.indexOf(close, at + 1)
    if (end < 0) continue
    parts.push({ text: query.slice(from, at), isQuoted: false })
    parts.push({ text: query.slice(at + 1, end), isQuoted: true })
    from = end + 1
    at = end
  }
  const rest = query.slice(from)
  return rest.trim() === '' ? parts : [...parts, { text: rest, isQuoted: false }]
}

/** Folds a text like `search_fold`: lower case, no accents, spaces around letters that are words. */
export function foldText(text: string): string {
  return foldCase(text).replace(alone, ' $& ')
}

/** Lower case without accents. */
function foldCase(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/gu, '')
    .toLowerCase()
}

/** Builds the `tsquery` of terms for `to_tsquery('simple', …)`. */
export function toTsQuery(terms: readonly Term[]): string {
  return terms
    .map(({ words, isOpen }) => {
      const last = words.length - 1
      return `(${words.map((word, at) => `'${word}'${isOpen && at === last ? ':*' : ''}`).join(' <-> ')})`
    })
    .join(' & ')
}
