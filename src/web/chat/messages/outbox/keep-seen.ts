import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { isConnected } from '../../../platform/lib/api/reachability.ts'
import { noteReplying } from '../../../platform/lib/kept/replying.ts'
import { messageStore } from '../chat/message-store.ts'

/** Messages that the chat asks for first. The service worker keeps the answer under this address. */
const PAGE_SIZE = 200

/**
 * Reads a chat again after each reply, so that the service worker keeps the reply for the time without a connection, and notes
 * while one is written. Returns a function that stops it.
 */
export function keepSeenChats(): () => void {
  return messageStore.subscribe((now, before) => {
    noteReplying(now.isStreaming || now.isLoading)
    const sessionId = now.chatSessionId
    const hasEnded = before.isStreaming && !now.isStreaming && sessionId === before.chatSessionId
    if (!hasEnded || !sessionId || !isConnected() || !navigator.serviceWorker?.controller) return
    const query = { limit: PAGE_SIZE }
    call(getActiveBranch, { params: { sessionId }, query, quiet: true }).catch(() => undefined)
  })
}
