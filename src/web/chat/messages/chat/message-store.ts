import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { BranchOption } from '#shared/chat/branches/branches.ts'
import type { ActiveBranch, Fork } from '#shared/chat/messages/messages.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { EarlierTexts } from './earlier-texts.ts'

/**
 * A message as the chat holds it. `id` is the server's, or `temp-…` until it is known; `key` never changes,
 * so that learning the id draws nothing again.
 */
export type ChatMessage = Message &
  EarlierTexts & { key: string /** The id it had until the server gave it one. */; temp_id?: string }

export type MessageState = {
  chatSessionId: string | null
  messagesById: Record<string, ChatMessage>
  /** Ids of the active branch, oldest first. */
  order: string[]
  /** How many messages the branch has in all; older ones load when the reader gets there. */
  total: number
  hasOlder: boolean
  /** Messages of the branch that are not here yet, behind one that is: they load when the reader gets there. */
  gap: { after: string; count: number } | null
  /** The reading of more messages that is under way for this chat. */
  loadingMore: symbol | null
  streamingId: string | null
  isStreaming: boolean
  streamingSessionId: string | null
  regeneratingId: string | null
  /** Where a message with alternatives stands among them, from 0. */
  branchIndex: Record<string, number>
  branchOptions: Record<string, BranchOption[]>
  /** Branches that were on screen, by branch id. */
  branchCache: Record<string, { branch: ActiveBranch; readAt: number }>
  /** What lies beside the messages that have alternatives. */
  forks: Record<string, Fork>
  branchNumber: number
  branchCount: number
  currentBranchId: string
  isBranchSwitching: boolean
  /** The message that stays where it is on screen while the branch around it changes. */
  heldKey: string | null
  /** The message a person went to; it is marked for a moment. */
  target: { id: string } | null
  /** The reply that is being written on a branch that is not on screen. */
  elsewhereId: string | null
  error: string | null
  isLoading: boolean
  editingId: string | null
  editAndRegenerateId: string | null
  /** Messages sent from this page: their turn gets a screen of room to be answered in. */
  sentKey: string | null
  /** How many times the connection has been tried again. */
  reconnecting: number | null
}

const empty: MessageState = {
  chatSessionId: null,
  messagesById: {},
  order: [],
  total: 0,
  hasOlder: false,
  gap: null,
  loadingMore: null,
  streamingId: null,
  isStreaming: false,
  streamingSessionId: null,
  regeneratingId: null,
  branchIndex: {},
  branchOptions: {},
  branchCache: {},
  forks: {},
  branchNumber: 0,
  branchCount: 0,
  currentBranchId: 'default',
  isBranchSwitching: false,
  heldKey: null,
  target: null,
  elsewhereId: null,
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

/**
 * Takes the newest page of a branch. Messages that were here keep their key and what only we know; older ones that
 * lead to the page stay. `instead`: the message that takes the place of another, and with it its key.
 */
export function setBranch(branch: ActiveBranch, instead?: { of: string; by: string }): void {
  messageStore.setState((state) => {
    const known = keysOf(state)
    const place = known.get(instead?.of ?? '')
    if (instead && place) known.set(instead.by, place)
    const messages = branch.active_branch.map((message) => withKey(message, known))
    const older = olderThan(state, messages[0])
    const { gap } = state
    // Nothing is missing where the page follows directly.
    const hasGap = gap && older.includes(gap.after) && messages[0]?.parent_id !== gap.after
    return {
      messagesById: byId([...older.map((id) => state.messagesById[id]!), ...messages]),
      order: [...older, ...messages.map(({ id }) => id)],
      total: branch.total,
      hasOlder: older.length > 0 ? state.hasOlder : branch.has_more,
      gap: hasGap ? gap : null,
      currentBranchId: branch.branch_id,
      isLoading: false,
      error: null,
      elsewhereId: null,
      ...forksOf(state, branch),
    }
  })
}

/** The messages on screen that lead to one; empty when it does not follow any of them. */
function olderThan({ order, messagesById }: MessageState, first: ChatMessage | undefined): string[] {
  if (!first) return []
  const known = order.indexOf(first.id)
  const end = known >= 0 ? known : order.indexOf(first.parent_id ?? '') + 1
  return order.slice(0, end).filter((id) => messagesById[id])
}

/** Learns how the messages of a page lie among the branches, and nothing else. */
export function noteForks(branch: ActiveBranch): void {
  messageStore.setState((state) => forksOf(state, branch))
}

function forksOf(state: MessageState, branch: ActiveBranch) {
  const forks = { ...state.forks }
  for (const { id } of branch.active_branch) delete forks[id]
  for (const fork of branch.forks) forks[fork.message_id] = fork
  const positions = Object.values(forks).map(({ message_id, position }) => [message_id, position - 1])
  return {
    forks,
    branchIndex: Object.fromEntries(positions),
    branchNumber: branch.branch_number,
    branchCount: branch.branch_count,
  }
}

/** Puts an older page in front. */
export function prependBranch(branch: ActiveBranch): void {
  messageStore.setState((state) => {
    const messages = newOnes(state, branch)
    return {
      messagesById: { ...byId(messages), ...state.messagesById },
      order: [...messages.map(({ id }) => id), ...state.order],
      hasOlder: branch.has_more && messages.length > 0,
      ...forksOf(state, branch),
    }
  })
}

/**
 * Shows a page of the branch on screen far above what is here, in front of it and whatever lies between. Another such
 * page goes.
 */
export function showStretch(page: ActiveBranch): void {
  messageStore.setState((state) => {
    const bottom = state.order.slice((gapOf(state)?.at ?? -1) + 1)
    const kept = { ...state, messagesById: byId(bottom.flatMap((id) => state.messagesById[id] ?? [])) }
    const messages = newOnes(kept, page)
    const count = state.total - bottom.length - page.start - page.active_branch.length
    const last = messages.at(-1)
    return {
      messagesById: { ...byId(messages), ...kept.messagesById },
      order: [...messages.map(({ id }) => id), ...bottom],
      hasOlder: page.has_more,
      gap: last && count > 0 ? { after: last.id, count } : null,
      ...forksOf(state, page),
    }
  })
}

/** Fills the gap with a page that was read from its beginning (`above`) or its end (`below`). */
export function fillGap(page: ActiveBranch, from: 'above' | 'below'): void {
  messageStore.setState((state) => {
    const gap = gapOf(state)
    if (!gap) return state
    const messages = newOnes(state, page)
    const count = messages.length > 0 ? gap.count - messages.length : 0
    const after = from === 'above' ? messages.at(-1)?.id : state.gap?.after
    const ids = messages.map(({ id }) => id)
    return {
      messagesById: { ...state.messagesById, ...byId(messages) },
      order: [...state.order.slice(0, gap.at + 1), ...ids, ...state.order.slice(gap.at + 1)],
      gap: after && count > 0 ? { after, count } : null,
      ...forksOf(state, page),
    }
  })
}

/** Where in the order messages are missing (behind the one at `at`), and how many; null when none are. */
export function gapOf({
  gap,
  order,
}: Pick<MessageState, 'gap' | 'order'>): { at: number; count: number } | null {
  const at = gap ? order.indexOf(gap.after) : -1
  return gap && at >= 0 && at < order.length - 1 ? { at, count: gap.count } : null
}

function newOnes(state: MessageState, { active_branch }: ActiveBranch): ChatMessage[] {
  const known = keysOf(state)
  return active_branch.filter(({ id }) => !known.has(id)).map((message) => withKey(message, known))
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

/** Puts a message in the place of another. */
export function replaceMessage(id: string, message: ChatMessage): void {
  messageStore.setState(({ messagesById: { [id]: _, ...others }, order }) => ({
    messagesById: { ...others, [message.id]: message },
    order: order.map((at) => (at === id ? message.id : at)),
  }))
}

/** Puts a message behind another. */
export function insertAfter(id: string, message: ChatMessage): void {
  messageStore.setState(({ messagesById, order, total }) => ({
    messagesById: { ...messagesById, [message.id]: message },
    order: order.flatMap((at) => (at === id ? [at, message.id] : [at])),
    total: total + 1,
  }))
}

/** Everything from a place on is about to go: it stays, faded, until something takes its place. */
export function fadeFrom(at: number): void {
  messageStore.setState((state) => {
    const { order, messagesById } = state
    const faded = order.slice(at).flatMap((id) => messagesById[id] ?? [])
    const status = 'regenerating-below' as const
    const gap = gapOf(state)
    return {
      messagesById: { ...messagesById, ...byId(faded.map((message) => ({ ...message, status }))) },
      // What is missing there goes as well.
      ...(gap && gap.at >= at - 1 ? { gap: null, total: state.total - gap.count } : {}),
    }
  })
}

/** What was faded goes. */
export function removeFaded(): void {
  const { order, messagesById } = messageStore.getState()
  removeMessages(...order.filter((id) => messagesById[id]?.status === 'regenerating-below'))
}

/** Takes messages away. */
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
