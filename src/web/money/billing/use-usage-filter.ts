import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Period, periods } from './usage-period.ts'

export type UsageFilter = { period: Period; kind: 'usage' | 'money' | null; model: string | null }

/** Ledger filter, stored in the URL so that it survives a reload and can be shared. */
export function useUsageFilter() {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filter: UsageFilter = {
    period: periods.find((period) => period === search.period) ?? 'month',
    kind: search.kind === 'usage' || search.kind === 'money' ? search.kind : null,
    model: typeof search.model === 'string' && search.model ? search.model : null,
  }
  const change = (part: Partial<UsageFilter>) => {
    const next = { ...filter, ...part }
    const named = Object.entries({ ...next, period: next.period === 'month' ? null : next.period })
    void navigate({
      to: '/user/{-$tab}',
      params: { tab: 'billing' },
      search: Object.fromEntries(named.filter(([, value]) => value !== null)),
      replace: true,
    })
  }
  return { filter, change }
}
