import { useQuery } from '@tanstack/react-query'
import { getHome } from '#shared/lifecycle/home/home.ts'
import { call } from '../../platform/lib/api/call.ts'
import { pollEvery } from '../../platform/lib/api/query-client.ts'

/** Polling interval without push. A new day shows its schedules within this time, or within a minute with push. */
const POLL_MS = 20_000

/** Reads the home page; updated while it is visible. */
export function useHome() {
  return useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => call(getHome, { signal }),
    refetchInterval: () => pollEvery(POLL_MS),
    refetchOnWindowFocus: 'always',
  })
}
