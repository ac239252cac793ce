import { spread } from '../fuse.ts'
import { READ_MAX, rateFirst } from './first.ts'
import { asText, type Reranker } from './port.ts'

/** Rates how well the tokens of each text match those of a question, in the order of the texts. */
export type Compare = (question: string, texts: string[], signal: AbortSignal) => Promise<number[]>

/** Weight of the token scores; the rest is the search score. */
const SHARE = 0.4

/** Late interaction: matches each question token with its nearest one in the passage and its title, weighted by rarity. */
export const maxsimReranker = (compare: Compare): Reranker => ({
  name: 'maxsim',
  description: `Compares each word of the question with those of the best ${READ_MAX} passages, by their meaning where they stand.`,
  rate: ({ text }, candidates, signal) =>
    rateFirst(candidates, async (read) => {
      const likeness = await compare(text, read.map(asText), signal)
      const likenesses = spread(read.map(({ id }, at) => ({ id, score: likeness[at] ?? 0 })))
      const shares = spread(read)
      return read.map(({ id }) => (1 - SHARE) * (shares.get(id) ?? 0) + SHARE * (likenesses.get(id) ?? 0))
    }),
})
