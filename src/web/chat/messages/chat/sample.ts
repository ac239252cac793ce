import type { MapMessage } from '#shared/chat/branches/branches.ts'
import type { Fork } from '#shared/chat/messages/messages.ts'
import { type ChatMessage, messageStore, resetMessages } from './message-store.ts'

/**
 * Shows the path to a message with alternatives as if it were the current chat, without a session. For the gallery; returns
 * a function that removes it.
 */
export function showMessages(
  messages: readonly MapMessage[],
  leafId: string,
  fork: Omit<Fork, 'message_id'>,
): () => void {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const path: MapMessage[] = []
  for (let at = byId.get(leafId); at; at = byId.get(at.parent_id ?? '')) path.unshift(at)
  resetMessages(null)
  messageStore.setState({
    messagesById: Object.fromEntries(path.map((message) => [message.id, asShown(message)])),
    order: path.map(({ id }) => id),
    total: path.length,
    forks: { [leafId]: { message_id: leafId, ...fork } },
    branchIndex: { [leafId]: fork.position - 1 },
  })
  return () => resetMessages(null)
}

function asShown({ is_active: _, text, ...message }: MapMessage): ChatMessage {
  return {
    ...{ ...message, key: message.id, client_id: null, chat_session_id: '', agent_type: null },
    ...{ content: text, blocks: [], status: 'completed', is_modified: false, metadata: {} },
  }
}
