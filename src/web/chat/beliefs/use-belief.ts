import { useQuery } from '@tanstack/react-query'
import { getBelief } from '#shared/chat/beliefs/beliefs.ts'
import { call } from '../../platform/lib/api/call.ts'
import { useToken } from '../../platform/lib/me/token.ts'
import { useLeaf } from '../messages/messages.tsx'

/** How often it is looked for while the newest reply is being worked in. */
const PENDING_POLL_MS = 1500

/** The belief of the branch on screen; read again after every reply until that one is worked in. */
export function useBelief(sessionId: string) {
  const token = useToken()
  const { version } = useLeaf()
  return useQuery({
    queryKey: ['belief', sessionId, version],
    queryFn: ({ signal }) => call(getBelief, { params: { sessionId }, signal }),
    enabled: token !== null,
    // What was known stays on screen until the next one is there, but never in another chat.
    placeholderData: (known, query) => (query?.queryKey[1] === sessionId ? known : undefined),
    refetchInterval: ({ state }) => (state.data?.is_pending ? PENDING_POLL_MS : false),
  })
}
