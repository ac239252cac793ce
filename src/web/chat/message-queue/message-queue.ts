export { QueueDock, useSendWays } from './queue-dock.tsx'
export { isQueuing } from './queuing.ts'
export { useSendWay } from './send-way.ts'

/** Loads the code that sends a message to the queue. */
export const loadSending = () => import('./send-to-queue.ts')
