import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useMessages } from './message-store.ts'

/** The reply that is drawn, when its checkpoints can be returned to. */
export const ReplyOfCheckpoints = createContext<string | null>(null)

export function useReplyOfCheckpoints(): string | null {
  return useContext(ReplyOfCheckpoints)
}

/** The checkpoints of the chat on screen, of all its branches, newest last. */
export function useCheckpoints({ isWanted = true } = {}) {
  const sessionId = useMessages((state) => state.chatSessionId)
  return useQuery({
    queryKey: ['checkpoints', sessionId],
    queryFn: async ({ signal }) =>
      (await import('./read-checkpoints.ts')).readCheckpoints(sessionId ?? '', signal),
    enabled: isWanted && sessionId !== null,
  })
}
