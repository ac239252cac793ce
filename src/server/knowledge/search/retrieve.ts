import type { JoinStrategy } from '#shared/knowledge/search/search.ts'
import type { Filter, Scored, Target, Vector, VectorTable, Words } from '../../platform/vectors/vectors.ts'
import { byScore, fuse, joinDistances } from './fuse.ts'

export type SearchType = 'vector' | 'keyword' | 'hybrid'

/** What is looked for, and how. `alpha` is the share of the vectors in a hybrid search. */
export type Wish = {
  type: SearchType
  query: string
  words: Words
  targets: readonly Target[]
  join: JoinStrategy
  weights?: readonly number[]
  alpha: number
  filter: Filter
  limit: number
}

/** A row that was found: `score` orders the list; the others say what each search thought of it. */
export type Found = {
  id: string
  score: number
  distance: number | null
  /** 1 for the same direction, 0 for the opposite; of cosine distances only. */
  certainty: number | null
  keyword_score: number | null
}

/** What a question is as vectors of a target: one, or one for each token. */
export type EmbedQuery = (target: Target, query: string) => Promise<readonly Vector[]>

/** So many of each list are compared with the other. */
export const CANDIDATES = 100

/** The rows that fit best, the best first. */
export async function retrieve(table: VectorTable, embed: EmbedQuery, wish: Wish): Promise<Found[]> {
  const depth = Math.max(CANDIDATES, wish.limit)
  const [near, scored] = await Promise.all([
    wish.type === 'keyword' ? [] : nearest(table, embed, wish, depth),
    wish.type === 'vector' ? [] : table.keyword(wish.words, { filter: wish.filter, limit: depth }),
  ])
  const distances = new Map(near.map(({ id, distance }) => [id, distance]))
  const scores = new Map(scored.map(({ id, score }) => [id, score]))
  const isCosine = wish.targets.every(({ metric }) => metric === 'cosine') && wish.targets.length === 1
  return order(wish, near, scored)
    .slice(0, wish.limit)
    .map(({ id, score }) => {
      const distance = distances.get(id) ?? null
      const certainty = isCosine && distance !== null ? 1 - distance / 2 : null
      return { id, score, distance, certainty, keyword_score: scores.get(id) ?? null }
    })
}

type Distant = { id: string; distance: number }

function order(
  { type, alpha, targets }: Wish,
  near: readonly Distant[],
  scored: readonly Scored[],
): Scored[] {
  const [target] = targets
  const isCosine = targets.length === 1 && target?.metric === 'cosine' && !target.isMulti
  const likeness = near
    .map(({ id, distance }) => ({ id, score: isCosine ? 1 - distance / 2 : -distance }))
    .sort(byScore)
  if (type === 'vector') return isCosine ? likeness : likeness.map(shared)
  if (type === 'keyword') return [...scored].sort(byScore)
  return fuse(likeness, scored, alpha)
}

/** Distances of other metrics have no end: from 0 for the farthest there can be to 1, in the same order. */
const shared = ({ id, score }: Scored): Scored => ({ id, score: 0.5 + Math.atan(score) / Math.PI })

/** The nearest by all targets together: each finds its own, and says how far those of the others are. */
async function nearest(
  table: VectorTable,
  embed: EmbedQuery,
  { targets, query, filter, join, weights }: Wish,
  limit: number,
): Promise<Distant[]> {
  const wanted = await Promise.all(
    targets.map(async (target) => ({ target, vectors: await embed(target, query) })),
  )
  const lists = await Promise.all(
    wanted.map(({ target, vectors }) => table.near(target, vectors, { filter, limit })),
  )
  const [only] = lists
  if (!only || lists.length === 1) return only ?? []
  const ids = [...new Set(lists.flatMap((list) => list.map(({ id }) => id)))]
  const all = await Promise.all(
    wanted.map(async ({ target, vectors }) => {
      const distances = await table.distances(target, vectors, ids)
      return new Map(distances.map(({ id, distance }) => [id, distance]))
    }),
  )
  // A row without one of the vectors is as far as the farthest by it.
  const far = all.map((of) => Math.max(0, ...of.values()))
  const joined = joinDistances(
    all.map((of, t) => ids.map((id) => of.get(id) ?? far[t] ?? 0)),
    join,
    weights,
  )
  return ids
    .map((id, at) => ({ id, distance: joined[at] ?? 0 }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
}
