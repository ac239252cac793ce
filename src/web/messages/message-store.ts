import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { ActiveBranch, Message } from '#shared/messages/messages.ts'

/**
 * A message as the chat holds it. `id` is the server's, or `temp-…` until it is known; `key` never changes,
 * so that learning the id draws nothing again.
 */
export type ChatMessage = Message & { key: string }

export type MessageState = {
  chatSessionId: string | null
  messagesById: Record<string, ChatMessage>
  /** Ids of the active branch, oldest first. */
  order: string[]
  /** How many messages the branch has in all; older ones load when the reader gets there. */
  total: number
  hasOlder: boolean
  streamingId: string | null
  isStreaming: boolean
  streamingSessionId: string | null
  regeneratingId: string | null
  branchIndex: Record<string, number>
  branchOptions: Record<string, { id: string; message_id: string; created_at: string }[]>
  branchCache: Record<string, { branch: ActiveBranch; readAt: number }>
  currentBranchId: string
  isBranchSwitching: boolean
  error: string | null
  isLoading: boolean
  editingId: string | null
  editAndRegenerateId: string | null
  /** Messages sent from this page: their turn gets a screen of room to be answered in. */
  sentKey: string | null
  /** The connection is being tried again for the so manieth time. */
  reconnecting: number | null
}

const empty: MessageState = {
  chatSessionId: null,
  messagesById: {},
  order: [],
  total: 0,
  hasOlder: false,
  streamingId: null,
  isStreaming: false,
  streamingSessionId: null,
  regeneratingId: null,
  branchIndex: {},
  branchOptions: {},
  branchCache: {},
  currentBranchId: 'default',
  isBranchSwitching: false,
  error: null,
  isLoading: false,
  editingId: null,
  editAndRegenerateId: null,
  sentKey: null,
  reconnecting: null,
}

/** The messages of the chat on screen, normalised. Text that is being written is not here, see `liveViews`. */
export const messageStore = createStore<MessageState>(() => empty)

/** Part of the store in a component; select primitives or things that keep their identity. */
export function useMessages<T>(select: (state: MessageState) => T): T {
  return useStore(messageStore, select)
}

/** One message by its id; undefined once it is gone. */
export function useMessage(id: string): ChatMessage | undefined {
  return useMessages((state) => state.messagesById[id])
}

/** Starts an empty chat of a session. */
export function resetMessages(chatSessionId: string | null): void {
  messageStore.setState({ ...empty, chatSessionId, isLoading: chatSessionId !== null }, true)
}

/** Takes the newest page of the active branch; messages that were here keep their key and what only we know. */
export function setBranch(branch: ActiveBranch): void {
  messageStore.setState((state) => {
    const known = keysOf(state)
    const messages = branch.active_branch.map((message) => withKey(message, known))
    return {
      messagesById: byId(messages),
      order: messages.map(({ id }) => id),
      total: branch.total,
      hasOlder: branch.has_more,
      currentBranchId: branch.branch_id,
      isLoading: false,
      error: null,
    }
  })
}

/** Puts an older page in front. */
export function prependBranch(branch: ActiveBranch): void {
  messageStore.setState((state) => {
    const older = branch.active_branch.filter(({ id }) => !state.messagesById[id])
    const messages = older.map((message) => withKey(message, keysOf(state)))
    return {
      messagesById: { ...byId(messages), ...state.messagesById },
      order: [...messages.map(({ id }) => id), ...state.order],
      hasOlder: branch.has_more && older.length > 0,
    }
  })
}

/** Adds messages at the end. */
export function appendMessages(...messages: ChatMessage[]): void {
  messageStore.setState((state) => ({
    messagesById: { ...state.messagesById, ...byId(messages) },
    order: [...state.order, ...messages.map(({ id }) => id)],
    total: state.total + messages.length,
  }))
}

/** Changes one message; an unknown id changes nothing. */
export function patchMessage(id: string, patch: Partial<ChatMessage>): void {
  messageStore.setState((state) => {
    const message = state.messagesById[id]
    return message ? { messagesById: { ...state.messagesById, [id]: { ...message, ...patch } } } : state
  })
}

/** Gives a message the id the server knows it by, and what else the server said about it. Its key stays. */
export function renameMessage(from: string, to: string, patch: Partial<ChatMessage> = {}): void {
  if (from === to) {
    patchMessage(from, patch)
    return
  }
  messageStore.setState((state) => {
    const message = state.messagesById[from]
    if (!message) return state
    const { [from]: _, ...others } = state.messagesById
    // The server may have told of it already, in a page that was read meanwhile.
    const order = state.order.filter((id) => id !== to)
    return {
      messagesById: { ...others, [to]: { ...message, ...patch, id: to, key: message.key } },
      order: order.map((id) => (id === from ? to : id)),
      streamingId: state.streamingId === from ? to : state.streamingId,
    }
  })
}

/** Takes messages away that never came to be. */
export function removeMessages(...ids: string[]): void {
  messageStore.setState((state) => ({
    messagesById: Object.fromEntries(Object.entries(state.messagesById).filter(([id]) => !ids.includes(id))),
    order: state.order.filter((id) => !ids.includes(id)),
    total: state.total - ids.filter((id) => state.messagesById[id]).length,
  }))
}

function byId(messages: ChatMessage[]): Record<string, ChatMessage> {
  return Object.fromEntries(messages.map((message) => [message.id, message]))
}

function keysOf(state: MessageState): Map<string, string> {
  return new Map(Object.values(state.messagesById).map(({ id, key }) => [id, key]))
}

function withKey(message: Message, known: Map<string, string>): ChatMessage {
  return { ...message, key: known.get(message.id) ?? message.client_id ?? message.id }
}
