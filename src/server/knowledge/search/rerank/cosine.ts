import type { Reranker } from './port.ts'

/** Rates passages by the cosine similarity of their vectors to the question. */
export const cosineReranker: Reranker = {
  name: 'cosine_similarity_reranker',
  description: 'By how alike the embeddings of the question and of each passage are.',
  usesVectors: true,
  rate: async ({ vector }, candidates) =>
    candidates.map((candidate) =>
      vector && candidate.vector ? (1 + cosine(vector, candidate.vector)) / 2 : 0,
    ),
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, aa, bb] = [0, 0, 0]
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb)
}
