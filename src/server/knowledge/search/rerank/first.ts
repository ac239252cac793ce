import type { Candidate } from './port.ts'

/** So many are read by a model on this machine, which takes a tenth of a second each or more. */
export const READ_MAX = 20

/** The rates of the first of some candidates, and of the others so that they stay behind them as they were. */
export async function rateFirst(
  candidates: readonly Candidate[],
  rate: (read: readonly Candidate[]) => Promise<number[]>,
): Promise<number[]> {
  const read = candidates.slice(0, READ_MAX)
  const rates = await rate(read)
  const least = Math.min(...rates)
  const last = read.at(-1)?.score ?? 0
  return candidates.map(({ score }, at) => rates[at] ?? (last > 0 ? (least * score) / last : 0))
}
