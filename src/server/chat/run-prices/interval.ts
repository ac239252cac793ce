import { MIN_RUNS, type StatedPrice } from '#shared/chat/run-prices/run-prices.ts'

/** A finished reply, in dollars: the cost of reading its conversation once, and the total. */
export type PastRun = { known: number; paid: number }

/** Target coverage. Slightly above the promised one, to allow for chance in 100 replies. */
const SHARE = 0.95
/** Number of newer replies after which a reply's weight is halved. */
const HALF_LIFE = 40
/** In dollars: the smallest unit of the ledger. */
const MIN_DOLLARS = 1e-9
/** The two-sided normal quantile for the same coverage. */
const NORMAL = 1.96
/** Maximum extent of an interval as a multiple of all observed values: replies of two kinds are not normally distributed. */
const BEYOND = 3

/**
 * Returns the interval that will probably contain the price of a reply. The unknown part (the answer and further calls) is estimated as
 * its median (`rest`). A past reply's score is the log ratio of its price to `known + rest`. The interval uses weighted conformal
 * quantiles, which count the new reply as one more extreme score (Tibshirani et al. 2019). With too few scores it uses Student's
 * prediction interval within bounds. Returns null below `MIN_RUNS` replies.
 * @param past newest first
 */
export function intervalOf(past: readonly PastRun[], known: number): StatedPrice | null {
  if (past.length < MIN_RUNS) return null
  const rest = Math.max(MIN_DOLLARS, median(past.map((run) => run.paid - run.known)))
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

/** Returns the first score with more than this weight behind it, else the last score. */
function scoreAt(scored: readonly Scored[], weight: number): number {
  let passed = 0
  for (const one of scored) {
    passed += one.weight
    if (passed > weight) return one.score
  }
  return scored.at(-1)?.score ?? 0
}

/** Returns the Student prediction bound for normal scores. `counts`: their effective number. */
function studentOf(scored: readonly Scored[], { total, counts }: { total: number; counts: number }) {
  const mean = scored.reduce((sum, { score, weight }) => sum + score * weight, 0) / total
  const squares = scored.reduce((sum, { score, weight }) => sum + weight * (score - mean) ** 2, 0) / total
  const variance = (squares * counts) / (counts - 1)
  const reach = studentQuantile(counts - 1) * Math.sqrt(variance * (1 + 1 / counts))
  return { low: mean - reach, high: mean + reach }
}

/** Returns Student's quantile by expanding the normal one in the degrees of freedom (Abramowitz and Stegun 26.7.5). */
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

/** Rounds outwards to two digits: more would suggest false precision and reveal single prices. */
function toTwoDigits(dollars: number, round: (value: number) => number): number {
  const step = 10 ** (Math.floor(Math.log10(dollars)) - 1)
  return Number((round(dollars / step) * step).toPrecision(2))
}
