import type { Usage } from '../../../models/models/port.ts'

/** A passage to rerank. */
export type Candidate = {
  id: string
  title: string
  text: string
  vector: ArrayLike<number> | null
  /** The search score, from 0 for the last to 1 for the first. */
  score: number
}

/** Rates how well passages answer a question. */
export type Reranker = {
  name: string
  description: string
  /** The requested reranker, when it is not installed and this one replaces it. */
  standsInFor?: string
  /** Whether candidates need vectors. */
  usesVectors?: true
  /** The model that a provider bills for; absent for local rerankers. */
  paid?: string
  /** Returns scores from 0 to 1 in the order of the candidates, which come in search order; higher is better. @throws when it fails */
  rate(
    query: Question,
    candidates: readonly Candidate[],
    signal: AbortSignal,
    bill?: (usage: Usage) => void,
  ): Promise<number[]>
}

export type Question = { text: string; vector: ArrayLike<number> | null }

/** Returns a passage as models read it: the title, then the text. */
export const asText = ({ title, text }: Candidate) => (title === '' ? text : `${title}\n${text}`)
