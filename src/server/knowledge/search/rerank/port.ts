import type { Usage } from '../../../models/models/port.ts'

/** A passage that may be put elsewhere in the order. */
export type Candidate = {
  id: string
  title: string
  text: string
  vector: ArrayLike<number> | null
  /** What the search said, from 0 for the last to 1 for the first. */
  score: number
}

/** Says anew how well passages answer a question. */
export type Reranker = {
  name: string
  description: string
  /** The one that was asked for and is not there. */
  standsInFor?: string
  /** It compares vectors: the candidates need theirs. */
  usesVectors?: true
  /** A provider does it, and is paid for it: the name of its model. */
  paid?: string
  /** From 0 to 1, in the order of the candidates, which come as they were found; higher is better. @throws when it cannot */
  rate(
    query: Question,
    candidates: readonly Candidate[],
    signal: AbortSignal,
    bill?: (usage: Usage) => void,
  ): Promise<number[]>
}

export type Question = { text: string; vector: ArrayLike<number> | null }

/** A passage as models read it: its title above it. */
export const asText = ({ title, text }: Candidate) => (title === '' ? text : `${title}\n${text}`)
