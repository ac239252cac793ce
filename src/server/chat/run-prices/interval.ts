import { RUNS_LEAST, type StatedPrice } from '#shared/chat/run-prices/run-prices.ts'

/** A finished reply, in dollars: what reading its conversation once cost, and what all of it did. */
export type PastRun = { known: number; paid: number }

/** The share of replies that are to end inside. Somewhat more than is promised, as chance takes some of a hundred. */
const SHARE = 0.95
/** After so many newer replies one counts half. */
const HALF_LIFE = 40
/** Dollars; the ledger counts no less. */
const LEAST = 1e-9
/** The same share of the normal distribution, two-sided. */
const NORMAL = 1.96
/** So many times beyond everything that was seen an interval reaches at most: replies of two kinds are far apart, not normal. */
const BEYOND = 3

/**
 * Where the price of a reply will probably lie. What cannot be known beforehand, the answer and further calls, is taken as their median
 * (`rest`); how far each past reply was from `known + rest`, as the logarithm of a ratio, is its score. The interval leaves out as much
 * at each end as a conformal one does: the new reply counts as one more, at the far end (Tibshirani et al. 2019, weighted). Where these are
 * too few for that, it reaches as far as Student's interval for the next one, within bounds. Null of fewer than `RUNS_LEAST`.
 * @param past the newest first
 */
export function intervalOf(past: readonly PastRun[], known: number): StatedPrice | null {
  if (past.length < RUNS_LEAST) return null
  const rest = Math.max(LEAST, median(past.map((run) => run.paid - run.known)))
  const scored = past.map((run, at) => ({
    score: Math.log(run.paid / (run.known + rest)),
    weight: 0.5 ** (at / HALF_LIFE),
  }))
  scored.sort((one, other) => one.score - other.score)
  const total = scored.reduce((sum, { weight }) => sum + weight, 0)
  const left = ((1 - SHARE) / 2) * (total + 1)
  const counts = total ** 2 / scored.reduce((sum, { weight }) => sum + weight ** 2, 0)
  const isEnough = counts >= 2 / (1 - SHARE)
  const student = isEnough ? null : studentOf(scored, { total, counts })
  const reach = Math.log(BEYOND)
  const [lowest, highest] = [scoreAt(scored, 0) - reach, scoreAt(scored.toReversed(), 0) + reach]
  const low = Math.min(scoreAt(scored, left), Math.max(student?.low ?? Infinity, lowest))
  const high = Math.max(scoreAt(scored.toReversed(), left), Math.min(student?.high ?? -Infinity, highest))
  const middle = known + rest
  return {
    low: toTwoDigits(middle * Math.exp(low), Math.floor),
    high: toTwoDigits(middle * Math.exp(high), Math.ceil),
    runs: past.length,
  }
}

type Scored = { score: number; weight: number }

/** The first score at which more than this weight is behind; the last where there is less. */
function scoreAt(scored: readonly Scored[], weight: number): number {
  let passed = 0
  for (const one of scored) {
    passed += one.weight
    if (passed > weight) return one.score
  }
  return scored.at(-1)?.score ?? 0
}

/** Where the next one lies when the scores are normal. `counts`: how many equal ones they are worth. */
function studentOf(scored: readonly Scored[], { total, counts }: { total: number; counts: number }) {
  const mean = scored.reduce((sum, { score, weight }) => sum + score * weight, 0) / total
  const squares = scored.reduce((sum, { score, weight }) => sum + weight * (score - mean) ** 2, 0) / total
  const variance = (squares * counts) / (counts - 1)
  const reach = studentQuantile(counts - 1) * Math.sqrt(variance * (1 + 1 / counts))
  return { low: mean - reach, high: mean + reach }
}

/** Student's quantile from the normal one, by its expansion in the degrees of freedom (Abramowitz and Stegun 26.7.5). */
function studentQuantile(degrees: number): number {
  const z = NORMAL
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Outwards to two digits: more would say too much, and would show what a single reply cost. */
function toTwoDigits(dollars: number, round: (value: number) => number): number {
  const step = 10 ** (Math.floor(Math.log10(dollars)) - 1)
  return Number((round(dollars / step) * step).toPrecision(2))
}
