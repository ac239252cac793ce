import { create } from 'zustand'
import type { QueueWay } from '#shared/chat/message-queue/message-queue.ts'

/** Ways to send a message while a reply is written. A new run begins with `queue`. */
export const useSendWay = create<{ way: QueueWay }>(() => ({ way: 'queue' }))
