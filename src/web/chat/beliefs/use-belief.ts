import { useQuery } from '@tanstack/react-query'
import { getBelief } from '#shared/chat/beliefs/beliefs.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { useLeaf } from '../messages/messages.tsx'

/** Polling interval while the newest reply is being added. */
const PENDING_POLL_MS = 1500

/** The belief of the current branch; polled after every reply until it includes that one. */
export function useBelief(sessionId: string) {
  const token = useToken()
  const { version } = useLeaf()
  return useQuery({
    queryKey: ['belief', sessionId, version],
    queryFn: ({ signal }) => call(getBelief, { params: { sessionId }, signal }),
    enabled: token !== null,
    // The previous belief stays until the next one arrives, but never in another chat.
    placeholderData: (known, query) => (query?.queryKey[1] === sessionId ? known : undefined),
    refetchInterval: ({ state }) => (state.data?.is_pending ? PENDING_POLL_MS : false),
  })
}
