import type { JoinStrategy } from '#shared/knowledge/search/search.ts'

/** An entry of one list; a higher score is better. */
export type Rated = { id: string; score: number }

/** Scales the scores of a list to 0–1, so that lists of different kinds can be added. Equal scores become 1. */
export function spread(list: readonly Rated[]): Map<string, number> {
  const scores = list.map(({ score }) => score)
  const [least, most] = [Math.min(...scores), Math.max(...scores)]
  return new Map(list.map(({ id, score }) => [id, most === least ? 1 : (score - least) / (most - least)]))
}

/** Fuses two lists: weight `alpha` for the first and the rest for the second; best first. */
export function fuse(first: readonly Rated[], second: readonly Rated[], alpha: number): Rated[] {
  const [a, b] = [spread(first), spread(second)]
  return [...new Set([...a.keys(), ...b.keys()])]
    .map((id) => ({ id, score: alpha * (a.get(id) ?? 0) + (1 - alpha) * (b.get(id) ?? 0) }))
    .sort(byScore)
}

/** Sorts best first; ties by id, so that the order is stable. */
export const byScore = (a: Rated, b: Rated) => b.score - a.score || (a.id < b.id ? -1 : 1)

/**
 * Joins distances to several targets into one per row; `distances[t][i]` is that of row i to target t. `relative_score` scales each
 * target's distances before weighting, `manual_weights` weighs them as they are; lower is nearer.
 */
export function joinDistances(
  distances: readonly (readonly number[])[],
  strategy: JoinStrategy,
  weights: readonly number[] = [],
): number[] {
  const rows = distances[0]?.map((_, at) => distances.map((of) => of[at] ?? 0)) ?? []
  switch (strategy) {
    case 'minimum':
      return rows.map((row) => Math.min(...row))
    case 'maximum':
      return rows.map((row) => Math.max(...row))
    case 'average':
      return rows.map((row) => sum(row) / row.length)
    case 'manual_weights':
      return rows.map((row) => sum(row.map((distance, at) => distance * (weights[at] ?? 1))))
    case 'relative_score': {
      const scaled = distances.map((of) => scale(of))
      return rows.map((_, at) => sum(scaled.map((of, t) => (of[at] ?? 0) * (weights[t] ?? 1))))
    }
    default:
      return strategy satisfies never
  }
}

function scale(values: readonly number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return values.map((value) => (most === least ? 0 : (value - least) / (most - least)))
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
