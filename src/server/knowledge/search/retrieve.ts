import type { JoinStrategy } from '#shared/knowledge/search/search.ts'
import type { Filter, Scored, Target, Vector, VectorTable, Words } from '../../platform/vectors/vectors.ts'
import { byScore, fuse, joinDistances } from './fuse.ts'

export type SearchType = 'vector' | 'keyword' | 'hybrid'

/** A query with its options. `alpha` is the weight of the vectors in a hybrid search. */
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

/** A found row. `score` orders the list; the other values come from the single searches. */
export type Found = {
  id: string
  score: number
  distance: number | null
  /** Cosine similarity scaled to 0–1; null for other metrics. */
  certainty: number | null
  keyword_score: number | null
}

/** Embeds a query for a target: one vector, or one per token. */
export type EmbedQuery = (target: Target, query: string) => Promise<readonly Vector[]>

/** Minimum length of the vector and keyword lists before they are fused. */
export const CANDIDATES = 100

/** Returns the rows that fit best, best first. */
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

/** Maps unbounded distances of other metrics to scores between 0 and 1, in the same order. */
const shared = ({ id, score }: Scored): Scored => ({ id, score: 0.5 + Math.atan(score) / Math.PI })

/** Returns the nearest rows by all targets together: each target finds rows, and all targets measure the union. */
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
  // A row without a vector of a target counts as far as its farthest row.
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
