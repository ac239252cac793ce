import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { attachToRun, PAGE_SIZE } from './chat.ts'
import { messageStore, setBranch } from './message-store.ts'

/**
 * Shows messages that were sent and answered while this page was not told. Does nothing when the chat went on on another branch, and
 * while a reply is followed here.
 */
export async function catchUp(sessionId: string): Promise<void> {
  const { chatSessionId, order, isStreaming } = messageStore.getState()
  const last = order.at(-1)
  if (chatSessionId !== sessionId || isStreaming || last === undefined) return
  const branch = await call(getActiveBranch, { params: { sessionId }, query: { limit: PAGE_SIZE } })
  const now = messageStore.getState()
  if (now.chatSessionId !== sessionId || now.isStreaming || now.order.at(-1) !== last) return
  const at = branch.active_branch.findIndex(({ id }) => id === last)
  if (at < 0 || at === branch.active_branch.length - 1) return
  messageStore.setState({ elsewhereId: null })
  setBranch(branch)
  if (branch.active_branch.at(-1)?.status === 'streaming') attachToRun(sessionId)
}
