import { useQuery } from '@tanstack/react-query'
import { getOverview } from '#shared/lifecycle/overview/overview.ts'
import { call } from '../../../platform/lib/api/call.ts'

export const overviewKey = ['admin-overview']

/** Returns what needs the administrator, and the activity of the last days. */
export function useOverview() {
  return useQuery({ queryKey: overviewKey, queryFn: ({ signal }) => call(getOverview, { signal }) })
}
