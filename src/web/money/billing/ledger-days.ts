import type { LedgerEntry } from '#shared/money/billing/billing.ts'

export type LedgerDay = { key: string; entries: LedgerEntry[] }

/** Groups ledger entries by local booking day, preserving their order. */
export function groupByDay(entries: readonly LedgerEntry[]): LedgerDay[] {
  const days = new Map<string, LedgerDay>()
  for (const entry of entries) {
    const key = dayOf(entry.created_at)
    const day = days.get(key) ?? { key, entries: [] }
    day.entries.push(entry)
    days.set(key, day)
  }
  return [...days.values()]
}

/** Returns input plus output tokens of an entry, or null when none were counted. */
export function tokensOf(entry: Pick<LedgerEntry, 'input_tokens' | 'output_tokens'>): number | null {
  if (entry.input_tokens === null && entry.output_tokens === null) return null
  return (entry.input_tokens ?? 0) + (entry.output_tokens ?? 0)
}

/**
 * Returns how many whole days a balance lasts at this month's rate of spending. The month is in UTC and amounts are in dollars.
 * Returns null when nothing was spent, nothing is left, or it lasts for more than a year.
 */
export function daysLeft(balance: number | null, spentThisMonth: number, now: Date): number | null {
  const spent = Math.abs(spentThisMonth)
  if (balance === null || balance <= 0 || spent === 0) return null
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  const daysSoFar = Math.max(1, (now.getTime() - monthStart) / 86_400_000)
  const days = Math.floor(balance / (spent / daysSoFar))
  return days > 365 ? null : days
}

/** Returns the first and last entry number of a page, as in "51–100 of 412". Pages start at 1. */
export function pageSpan(page: number, limit: number, count: number): { first: number; last: number } {
  return { first: (page - 1) * limit + 1, last: (page - 1) * limit + count }
}

function dayOf(timestamp: string): string {
  const date = new Date(timestamp)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
