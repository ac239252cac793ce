import type { MessageQueue } from '#shared/chat/message-queue/message-queue.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

const takenKey = (sessionId: string) => ['queue-taken', sessionId]

/** Notes that the queue of a chat has a message of this page, or has it no more. */
export function noteTaken(sessionId: string, clientId: string, isTaken = true): void {
  queryClient.setQueryData<string[]>(takenKey(sessionId), (ids = []) => [
    ...ids.filter((id) => id !== clientId),
    ...(isTaken ? [clientId] : []),
  ])
}

/**
 * Returns whether messages of a chat wait for their turn, so that a new one must not overtake them. A message of this page that
 * has left the queue counts until the chat shows it, because a new one has to follow it.
 */
export function isQueuing(sessionId: string, isShown: (clientId: string) => boolean): boolean {
  const queue = queryClient.getQueryData<MessageQueue>(['queue', sessionId])
  if (queue === undefined || queue.held_by !== null) return false
  const taken = queryClient.getQueryData<string[]>(takenKey(sessionId)) ?? []
  return taken.some((id) => !isShown(id)) || queue.items.some(({ way }) => way !== 'steer')
}
