import type { BenchFigures, Expectation } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'

/** The passages that a run found for a question, best first. */
export type Result = {
  case_id: string
  found: string[]
  milliseconds: number
  cost: number | null
  skipped: string | null
}

const gains = { answers: 2, helps: 1 } as const

/** Returns the rank of the first expected passage, from 1; null when none was found. */
export function firstRank(expected: readonly Expectation[], found: readonly string[]): number | null {
  const wanted = new Set(expected.map(({ chunk_id }) => chunk_id))
  const at = found.findIndex((id) => wanted.has(id))
  return at < 0 ? null : at + 1
}

/** Computes the figures of a run over the questions with expected passages; null when there are none. */
export function reckonFigures(
  expectations: ReadonlyMap<string, readonly Expectation[]>,
  results: readonly Result[],
): BenchFigures | null {
  const judged = results.filter(({ case_id }) => (expectations.get(case_id)?.length ?? 0) > 0)
  if (judged.length === 0) return null
  const meanOf = (rate: (expected: readonly Expectation[], found: readonly string[]) => number) =>
    mean(judged.map(({ case_id, found }) => rate(expectations.get(case_id) ?? [], found)))
  const times = judged.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const costs = judged.map(({ cost }) => cost)
  return {
    questions: judged.length,
    recall_5: meanOf((expected, found) => recallAt(5, expected, found)),
    recall_10: meanOf((expected, found) => recallAt(10, expected, found)),
    mrr: meanOf((expected, found) => 1 / (firstRank(expected, found) ?? Number.POSITIVE_INFINITY)),
    ndcg_10: meanOf((expected, found) => ndcgAt(10, expected, found)),
    p50_ms: quantile(times, 0.5),
    p95_ms: quantile(times, 0.95),
    cost_per_1000: costs.includes(null) ? null : 1000 * mean(costs.map((cost) => cost ?? 0)),
    skipped: judged.filter(({ skipped }) => skipped !== null).length,
  }
}

function recallAt(most: number, expected: readonly Expectation[], found: readonly string[]): number {
  const best = new Set(found.slice(0, most))
  return expected.filter(({ chunk_id }) => best.has(chunk_id)).length / expected.length
}

/** Computes nDCG with linear gains, like trec_eval. */
function ndcgAt(most: number, expected: readonly Expectation[], found: readonly string[]): number {
  const gainOf = new Map(expected.map(({ chunk_id, grade }) => [chunk_id, gains[grade]]))
  const ideal = [...gainOf.values()].sort((a, b) => b - a)
  const worth = (list: readonly number[]) =>
    list.slice(0, most).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0)
  return worth(found.map((id) => gainOf.get(id) ?? 0)) / worth(ideal)
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the nearest-rank quantile. */
const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
