import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { insertBefore, messageStore } from './message-store.ts'

/** Messages loaded before a sent one. */
const LIMIT = 200

/** Shows the messages before a sent one that were added while this page was not told. Without them, the next opening shows them. */
export async function showBetween(messageId: string): Promise<void> {
  const { chatSessionId: sessionId } = messageStore.getState()
  if (!sessionId) return
  const query = { limit: LIMIT, before: messageId }
  const page = await call(getActiveBranch, { params: { sessionId }, query, quiet: true }).catch(() => null)
  if (page && messageStore.getState().chatSessionId === sessionId) insertBefore(messageId, page)
}
