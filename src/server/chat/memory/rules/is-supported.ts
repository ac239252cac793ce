import { readWords } from './fact-words.ts'
import { readStatements } from './own-words.ts'

/**
 * Returns whether a proposed fact only says what its author states in a message: each of its words and numbers stands in one
 * statement, and both are negated or neither is. A fact that replaces an older one may keep words of that one. The rule never
 * trusts the model, which may obey a document.
 */
export function isSupported(fact: string, message: string, older: string | null = null): boolean {
  const claimed = readWords(fact)
  if (claimed.stems.length === 0) return false
  const known = new Set(older === null ? [] : readWords(older).stems)
  return readStatements(message)
    .flatMap((statement) => [statement, ...splitClauses(statement)])
    .some((said) => {
      const { stems, isNegated } = readWords(said)
      const spoken = new Set(stems)
      const isNew = claimed.stems.some((stem) => spoken.has(stem) && !known.has(stem))
      const isSaid = claimed.stems.every((stem) => spoken.has(stem) || known.has(stem))
      return isSaid && isNew && isNegated === claimed.isNegated
    })
}

const splitClauses = (statement: string): string[] =>
  statement
    .replace(/\s+/g, ' ')
    .split(/[,;–—]| (?:and|but|et|mais|so|donc) /iu)
    .filter((clause) => clause.trim() !== '')
