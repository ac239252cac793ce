import { loadOlder } from './chat.ts'
import { messageStore } from './message-store.ts'

/** Brings a message of the branch on screen into view; older pages are read until it is there. */
export async function goToMessage(messageId: string): Promise<void> {
  const { chatSessionId } = messageStore.getState()
  const isHere = () => messageStore.getState().messagesById[messageId] !== undefined
  while (!isHere() && messageStore.getState().hasOlder) {
    const count = messageStore.getState().order.length
    await loadOlder().catch(() => undefined)
    const now = messageStore.getState()
    if (now.chatSessionId !== chatSessionId || now.order.length === count) return
  }
  if (isHere()) messageStore.setState({ soughtId: messageId })
}
