import type { Reranker } from './port.ts'

/** Returns the words of a text without accents, case and common endings. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
}

/** Removes plurals and the most common endings of English and French. */
const stem = (word: string) => (word.length > 5 ? word.replace(/(?:ing|ed|es|s|ent|er|ement)$/u, '') : word)

/** Weight of the words; larger values lower the results on judged collections. */
const SHARE = 0.15

/** Promotes passages with more of the question's words, weighted by rarity. */
export const lexicalReranker: Reranker = {
  name: 'lexical_reranker',
  description: 'Lifts passages that have more of the rare words of the question.',
  rate: async ({ text }, candidates) => {
    const asked = [...new Set(wordsOf(text))]
    const bodies = candidates.map(({ title, text: body }) => new Set(wordsOf(`${title} ${body}`)))
    const rarity = new Map(asked.map((word) => [word, rarityOf(word, bodies)]))
    const most = [...rarity.values()].reduce((sum, value) => sum + value, 0)
    return candidates.map(({ score }, at) => {
      const there = asked.filter((word) => bodies[at]?.has(word))
      const share = there.reduce((sum, word) => sum + (rarity.get(word) ?? 0), 0) / (most || 1)
      return (1 - SHARE) * score + SHARE * share
    })
  },
}

/** Returns the inverse document frequency of a word in these texts, as in BM25. */
function rarityOf(word: string, bodies: readonly Set<string>[]): number {
  const count = bodies.filter((words) => words.has(word)).length
  return Math.log(1 + (bodies.length - count + 0.5) / (count + 0.5))
}
