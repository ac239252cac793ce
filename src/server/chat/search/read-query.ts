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
  const pieces = [...query.matchAll(/"([^"]*)"|“([^”]*)”|«([^»]*)»|([^\s"“«]+)/gu)]
  const terms = pieces.flatMap(([, straight, curly, french, word], at): Term[] => {
    const words = foldText(straight ?? curly ?? french ?? word ?? '').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
    const isLast = at === pieces.length - 1
    return words.length > 0 ? [{ words, isOpen: isLast && word !== undefined }] : []
  })
  return terms.slice(0, MAX_WORDS)
}

/** Folds a text like `search_fold`: lower case, no accents, spaces around letters that are words. */
export function foldText(text: string): string {
  return foldCase(text).replace(alone, ' $& ')
}

/** Lower case without accents. */
export function foldCase(text: string): string {
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
