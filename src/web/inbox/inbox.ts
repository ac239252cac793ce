import { useQuery } from '@tanstack/react-query'
import { listInputRequests, type RequestState } from '#shared/input-requests/input-requests.ts'
import { call } from '../lib/call.ts'
import { useToken } from '../lib/token.ts'

/** How often the list is read again; whoever answers here or sees a run come to rest asks for it at once. */
const POLL_MS = 10_000

/** The requests of the signed-in person in one state, kept up to date while the tab is visible. */
export function useInputRequests(status: RequestState = 'waiting') {
  const token = useToken()
  return useQuery({
    queryKey: ['input-requests', status],
    queryFn: ({ signal }) => call(listInputRequests, { query: { status }, signal }),
    enabled: token !== null,
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: 'always',
  })
}
