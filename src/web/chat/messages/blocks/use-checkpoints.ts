import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { useMessages } from '../chat/message-store.ts'

/** Local name changes are pushed; polling finds those of other devices. */
const NAMES_MS = 60_000

/** The rendered reply, if its checkpoints can be returned to. */
export const ReplyOfCheckpoints = createContext<string | null>(null)

export function useReplyOfCheckpoints(): string | null {
  return useContext(ReplyOfCheckpoints)
}

/** The checkpoints of the current chat, of all branches, newest last. */
export function useCheckpoints({ isWanted = true } = {}) {
  const sessionId = useMessages((state) => state.chatSessionId)
  return useQuery({
    queryKey: ['checkpoints', sessionId],
    queryFn: async ({ signal }) =>
      (await import('./read-checkpoints.ts')).readCheckpoints(sessionId ?? '', signal),
    enabled: isWanted && sessionId !== null,
  })
}

const none: ReadonlyMap<string, string> = new Map()

/**
 * Returns the names of the current chat's checkpoints by id, and whether they are loaded; also works without a query cache.
 */
export function useCheckpointNames(isWanted: boolean) {
  const sessionId = useMessages((state) => state.chatSessionId)
  const { data, isLoading } = useQuery(
    {
      queryKey: ['checkpoints', sessionId, 'named'],
      queryFn: async ({ signal }) =>
        (await import('./read-checkpoints.ts')).readNamedCheckpoints(sessionId ?? '', signal),
      enabled: isWanted && sessionId !== null,
      staleTime: NAMES_MS,
      select: namesIn,
    },
    queryClient,
  )
  return { names: data ?? none, isKnown: !isLoading }
}

/** Cached by reference while the list is the same. */
const namesIn = (list: Checkpoint[]) => new Map(list.map(({ id, label }) => [id, label ?? '']))
