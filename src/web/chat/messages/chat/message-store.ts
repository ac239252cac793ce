import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { BranchOption } from '#shared/chat/branches/branches.ts'
import type { ActiveBranch, Fork, ForkLink } from '#shared/chat/messages/messages.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { EarlierTexts } from './earlier-texts.ts'

/**
 * A message in the chat. `id` is the server's, or `temp-…` until it is known; `key` never changes, so that receiving the id
 * does not remount it.
 */
export type ChatMessage = Message &
  EarlierTexts & { key: string /** Its id before the server assigned one. */; temp_id?: string }

export type MessageState = {
  chatSessionId: string | null
  messagesById: Record<string, ChatMessage>
  /** Ids of the active branch, oldest first. */
  order: string[]
  /** Total number of messages in the branch; older ones load on scrolling. */
  total: number
  hasOlder: boolean
  /** Messages of the branch that are not loaded, after one that is; they load on scrolling. */
  gap: { after: string; count: number } | null
  /** The load in progress for this chat. */
  loadingMore: symbol | null
  streamingId: string | null
  isStreaming: boolean
  streamingSessionId: string | null
  regeneratingId: string | null
  /** Index of a message among its alternatives. */
  branchIndex: Record<string, number>
  branchOptions: Record<string, BranchOption[]>
  /** Previously shown branches, by branch id. */
  branchCache: Record<string, { branch: ActiveBranch; readAt: number }>
  /** Alternatives of the messages that have some. */
  forks: Record<string, Fork>
  /** Chats forked from a message, and the chat it was forked from. */
  links: Record<string, ForkLink[]>
  branchNumber: number
  branchCount: number
  currentBranchId: string
  isBranchSwitching: boolean
  /** The message that stays in place on screen while the branch around it changes. */
  heldKey: string | null
  /** The message navigated to; it is marked briefly. */
  target: { id: string } | null
  /** The reply being written on another branch. */
  elsewhereId: string | null
  error: string | null
  isLoading: boolean
  editingId: string | null
  editAndRegenerateId: string | null
  /** A message sent from this page: its turn gets a screen of space for the answer. */
  sentKey: string | null
  /** Number of reconnection attempts. */
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
  links: {},
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

/** The messages of the current chat, normalized. Text being written is in `liveViews` instead. */
export const messageStore = createStore<MessageState>(() => empty)

/** Selects from the store; select primitives or stable references. */
export function useMessages<T>(select: (state: MessageState) => T): T {
  return useStore(messageStore, select)
}

/** Returns a message by id; undefined once it is gone. */
export function useMessage(id: string): ChatMessage | undefined {
  return useMessages((state) => state.messagesById[id])
}

/** Resets the store to an empty chat of a session. */
export function resetMessages(chatSessionId: string | null): void {
  messageStore.setState({ ...empty, chatSessionId, isLoading: chatSessionId !== null }, true)
}

/**
 * Stores the newest page of a branch. Existing messages keep their key and local state; loaded ancestors of the page stay.
 * `instead`: a message that replaces another and takes its key.
 */
export function setBranch(branch: ActiveBranch, instead?: { of: string; by: string }): void {
  messageStore.setState((state) => {
    const known = keysOf(state)
    const place = known.get(instead?.of ?? '')
    if (instead && place) known.set(instead.by, place)
    const messages = branch.active_branch.map((message) => withKey(message, known))
    const older = olderThan(state, messages[0])
    const { gap } = state
    // There is no gap if the page follows directly.
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

/** Returns the loaded ancestors of a message; empty if it follows none of them. */
function olderThan({ order, messagesById }: MessageState, first: ChatMessage | undefined): string[] {
  if (!first) return []
  const known = order.indexOf(first.id)
  const end = known >= 0 ? known : order.indexOf(first.parent_id ?? '') + 1
  return order.slice(0, end).filter((id) => messagesById[id])
}

/** Stores only the alternatives of a page's messages. */
export function noteForks(branch: ActiveBranch): void {
  messageStore.setState((state) => forksOf(state, branch))
}

function forksOf(state: MessageState, branch: ActiveBranch) {
  const forks = { ...state.forks }
  const links = { ...state.links }
  for (const { id } of branch.active_branch) {
    delete forks[id]
    delete links[id]
  }
  for (const link of branch.links) links[link.message_id] = [...(links[link.message_id] ?? []), link]
  for (const fork of branch.forks) forks[fork.message_id] = fork
  const positions = Object.values(forks).map(({ message_id, position }) => [message_id, position - 1])
  return {
    ...{ forks, links },
    branchIndex: Object.fromEntries(positions),
    branchNumber: branch.branch_number,
    branchCount: branch.branch_count,
  }
}

/** Prepends an older page. */
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

/** Shows a distant page of the current branch before a gap. Replaces another such page. */
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

/** Fills the gap with a page loaded from its beginning (`above`) or its end (`below`). */
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

/** Returns the index after which messages are missing, and their number; null without a gap. */
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

/** Appends messages. */
export function appendMessages(...messages: ChatMessage[]): void {
  messageStore.setState((state) => ({
    messagesById: { ...state.messagesById, ...byId(messages) },
    order: [...state.order, ...messages.map(({ id }) => id)],
    total: state.total + messages.length,
  }))
}

/** Changes a message; does nothing for an unknown id. */
export function patchMessage(id: string, patch: Partial<ChatMessage>): void {
  messageStore.setState((state) => {
    const message = state.messagesById[id]
    return message ? { messagesById: { ...state.messagesById, [id]: { ...message, ...patch } } } : state
  })
}

/** Replaces a message's id with the server's, and applies its other data. The key stays. */
export function renameMessage(from: string, to: string, patch: Partial<ChatMessage> = {}): void {
  if (from === to) {
    patchMessage(from, patch)
    return
  }
  messageStore.setState((state) => {
    const message = state.messagesById[from]
    if (!message) return state
    const { [from]: _, ...others } = state.messagesById
    // A page loaded meanwhile may already contain it.
    const order = state.order.filter((id) => id !== to)
    return {
      messagesById: { ...others, [to]: { ...message, ...patch, id: to, key: message.key } },
      order: order.map((id) => (id === from ? to : id)),
      streamingId: state.streamingId === from ? to : state.streamingId,
    }
  })
}

/** Replaces a message with another. */
export function replaceMessage(id: string, message: ChatMessage): void {
  messageStore.setState(({ messagesById: { [id]: _, ...others }, order }) => ({
    messagesById: { ...others, [message.id]: message },
    order: order.map((at) => (at === id ? message.id : at)),
  }))
}

/** Inserts a message after another. */
export function insertAfter(id: string, message: ChatMessage): void {
  messageStore.setState(({ messagesById, order, total }) => ({
    messagesById: { ...messagesById, [message.id]: message },
    order: order.flatMap((at) => (at === id ? [at, message.id] : [at])),
    total: total + 1,
  }))
}

/** Fades everything from an index on, until it is replaced. */
export function fadeFrom(at: number): void {
  messageStore.setState((state) => {
    const { order, messagesById } = state
    const faded = order.slice(at).flatMap((id) => messagesById[id] ?? [])
    const status = 'regenerating-below' as const
    const gap = gapOf(state)
    return {
      messagesById: { ...messagesById, ...byId(faded.map((message) => ({ ...message, status }))) },
      // A gap there is removed too.
      ...(gap && gap.at >= at - 1 ? { gap: null, total: state.total - gap.count } : {}),
    }
  })
}

/** Inserts the messages of a page that are not shown before one that is. Those before the page load on scrolling. */
export function insertBefore(id: string, page: ActiveBranch): void {
  messageStore.setState((state) => {
    const at = state.order.indexOf(id)
    const after = state.order[at - 1]
    const messages = newOnes(state, page)
    if (at < 0 || messages.length === 0) return state
    const follows = after === undefined || page.active_branch.some((message) => message.id === after)
    const ids = messages.map((message) => message.id)
    // Before the insertion the store counted what is shown, and everything before it.
    const count = page.start - (state.total - (state.order.length - at))
    return {
      messagesById: { ...state.messagesById, ...byId(messages) },
      order: [...state.order.slice(0, at), ...ids, ...state.order.slice(at)],
      total: state.total + messages.length + (follows ? 0 : count),
      ...(follows ? {} : { gap: { after, count } }),
      ...forksOf(state, page),
    }
  })
}

/** Removes faded messages. */
export function removeFaded(): void {
  const { order, messagesById } = messageStore.getState()
  removeMessages(...order.filter((id) => messagesById[id]?.status === 'regenerating-below'))
}

/** Removes messages. */
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
