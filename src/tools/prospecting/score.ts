import type { Registered } from './register.ts'

/** Number of employee bands in the register. */
const SIZE_BANDS = 15

/**
 * Returns the score of a company, from 0 to 10 with one decimal: up to 4 for its size, up to 3 for its revenue growth (all
 * of it from 15 %), and 1 for each of up to three challenges.
 */
export function scoreOf({ growth, sizeRank, company }: Registered): number {
  const size = sizeRank < 0 ? 0 : (4 * (sizeRank + 1)) / SIZE_BANDS
  const grows = growth === null ? 0 : 3 * Math.min(1, Math.max(0, growth / 0.15))
  return Math.round((size + grows + Math.min(3, company.enjeux.length)) * 10) / 10
}
