import type { Registered } from './register.ts'

/** The bands of employees in the register. */
const SIZES = 15

/**
 * How promising a company is, from 0 to 10 with one decimal: up to 4 for its size, up to 3 for the growth of its revenue
 * (all of it from 15 % on), and 1 for each of up to three things it is busy with.
 */
export function scoreOf({ growth, sizeRank, company }: Registered): number {
  const size = sizeRank < 0 ? 0 : (4 * (sizeRank + 1)) / SIZES
  const grows = growth === null ? 0 : 3 * Math.min(1, Math.max(0, growth / 0.15))
  return Math.round((size + grows + Math.min(3, company.enjeux.length)) * 10) / 10
}
