import type { Reranker } from './port.ts'

/** Words of a text, folded and without endings that carry no meaning. */
export function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
}

/** Plurals and the commonest endings of English and French. */
const stem = (word: string) => (word.length > 5 ? word.replace(/(?:ing|ed|es|s|ent|er|ement)$/u, '') : word)

/** How much the words count beside what the search said; more of it makes judged collections worse. */
const SHARE = 0.15

/** Lifts passages that have more of the question's words, the rare ones first. */
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

/** Of a word among these texts, as BM25 weighs it. */
function rarityOf(word: string, bodies: readonly Set<string>[]): number {
  const count = bodies.filter((words) => words.has(word)).length
  return Math.log(1 + (bodies.length - count + 0.5) / (count + 0.5))
}
