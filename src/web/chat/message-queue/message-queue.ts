import type { MessageQueue } from '#shared/chat/message-queue/message-queue.ts'
import { queryClient } from '../../platform/lib/api/query-client.ts'

export { QueueDock, useSendWays } from './queue-dock.tsx'
export { useSendWay } from './send-way.ts'

/** Returns whether messages of a chat wait for their turn, so that a new one must not overtake them. */
export function isQueuing(sessionId: string): boolean {
  const queue = queryClient.getQueryData<MessageQueue>(['queue', sessionId])
  return queue !== undefined && queue.held_by === null && queue.items.some(({ way }) => way !== 'steer')
}

/** Loads the code that sends a message to the queue. */
export const loadSending = () => import('./send-to-queue.ts')
