import { useQuery } from '@tanstack/react-query'
import { listCheckpoints } from '#shared/chat/checkpoints/checkpoints.ts'
import { call } from '../../../platform/lib/api/call.ts'

/** Returns the query key of a session's checkpoints. */
export function checkpointsKey(sessionId: string | null) {
  return ['debug', 'checkpoints', sessionId]
}

/** Returns the checkpoints of the active branch, newest last. */
export function useCheckpoints(sessionId: string | null) {
  return useQuery({
    queryKey: checkpointsKey(sessionId),
    queryFn: async ({ signal }) => {
      const all = await call(listCheckpoints, { params: { sessionId: sessionId ?? '' }, signal })
      return all.filter((checkpoint) => checkpoint.is_active)
    },
    enabled: sessionId !== null,
  })
}
