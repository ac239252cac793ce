import { type Token, wordAt } from './tokens.ts'

/**
 * Creates a function that finds the longest phrase at a token. A row of the table is a meaning and its phrases, in lower case and
 * separated by commas. A symbol such as the slash in “km / h” is a separate word.
 */
export function createPhrases<Meaning>(table: [Meaning, string][]) {
  const byFirst = new Map<string, { words: string[]; meaning: Meaning }[]>()
  for (const [meaning, phrases] of table)
    for (const phrase of phrases.split(',')) {
      const words = phrase.trim().split(/[ '’-]/)
      const first = words[0] ?? ''
      byFirst.set(first, [...(byFirst.get(first) ?? []), { words, meaning }])
    }
  for (const phrases of byFirst.values()) phrases.sort((a, b) => b.words.length - a.words.length)
  return (tokens: Token[], at: number): { meaning: Meaning; length: number } | null => {
    const found = byFirst
      .get(textAt(tokens, at))
      ?.find(({ words }) => words.every((word, index) => textAt(tokens, at + index) === word))
    return found ? { meaning: found.meaning, length: found.words.length } : null
  }
}

function textAt(tokens: Token[], at: number): string {
  const token = tokens[at]
  return token?.kind === 'sign' ? token.sign : wordAt(tokens, at)
}
