import type { Candidate } from './port.ts'

/** Maximum passages rated by a local model, which takes at least 0.1 s each. */
export const READ_MAX = 20

/** Rates the first candidates, and ranks the others after them in their given order. */
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
