import { getActiveBranch } from '#shared/chat/messages/messages.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { call } from '../../../platform/lib/api/call.ts'
import { isConnected } from '../../../platform/lib/api/reachability.ts'
import { isUnmade, loadAhead } from '../../../runs/sessions/sessions.ts'
import {
  appendMessages,
  fillGap,
  gapOf,
  messageStore,
  prependBranch,
  resetMessages,
  setBranch,
} from './message-store.ts'
import { type FirstEvent, followReply, leaveReply } from './reply.ts'
import { tellNow } from './tell-branch.ts'
import { isTemporary, newClientId, temporaryReply } from './temporary.ts'

/** Messages loaded per page. */
export const PAGE_SIZE = 200
let opening: AbortController | null = null

/** Outcome of opening a chat: `gone` if it does not exist, `refused` if it belongs to someone else. */
export type Opened = 'shown' | 'gone' | 'refused' | 'failed' | 'left'

/** Shows a session: loads its messages and leaves the previous one. */
export async function openChat(sessionId: string): Promise<Opened> {
  opening?.abort()
  const control = new AbortController()
  opening = control
  if (messageStore.getState().chatSessionId !== sessionId) resetMessages(sessionId)
  try {
    await tellNow()
    if (control.signal.aborted) return 'left'
    if (isUnmade(sessionId) && !(await isMade(sessionId))) return showEmpty(sessionId)
    if (control.signal.aborted) return 'left'
    const branch = await call(getActiveBranch, {
      params: { sessionId },
      query: { limit: PAGE_SIZE },
      signal: control.signal,
    })
    if (control.signal.aborted) return 'left'
    // A message sent meanwhile is newer than the page.
    if (messageStore.getState().streamingSessionId !== sessionId) setBranch(branch)
    return 'shown'
  } catch (error) {
    if (control.signal.aborted) return 'left'
    const why = whyLost(error)
    if (why) return why
    messageStore.setState({ isLoading: false, error: error instanceof Error ? error.message : '' })
    return 'failed'
  }
}

/** Stores a chat that the server does not know. Returns false without a connection; it is then stored later. */
async function isMade(sessionId: string): Promise<boolean> {
  if (!isConnected()) return false
  try {
    const { makeChat } = await loadAhead()
    await makeChat(sessionId)
    return true
  } catch (error) {
    if (isApiError(error, 0)) return false
    throw error
  }
}

function showEmpty(sessionId: string): Opened {
  if (messageStore.getState().chatSessionId !== sessionId) return 'left'
  messageStore.setState({ isLoading: false })
  return 'shown'
}

/** Returns why a chat cannot be shown at all; null if a retry may work. */
export function whyLost(error: unknown): 'gone' | 'refused' | null {
  if (isApiError(error, 404)) return 'gone'
  return isApiError(error, 403) ? 'refused' : null
}

/** Leaves the current chat: its stream is no longer read here, but the run continues. */
export function leaveChat(sessionId: string): void {
  opening?.abort()
  void tellNow()
  leaveReply(sessionId)
}

/** Loads the page before the oldest message. Does nothing while that is in progress, or if there is none. */
export async function loadOlder(): Promise<void> {
  const { chatSessionId: sessionId, order, hasOlder } = messageStore.getState()
  const [before] = order
  if (!hasOlder || !sessionId || !before) return
  await loadMore(async () => {
    const query = { limit: PAGE_SIZE, before }
    const branch = await call(getActiveBranch, { params: { sessionId }, query })
    // Another branch, or a distant page, may have been loaded meanwhile.
    if (messageStore.getState().order[0] === before) prependBranch(branch)
  })
}

/** Fills the gap next to the reader's position, from above or from below. */
export async function loadGap(from: 'above' | 'below'): Promise<void> {
  const state = messageStore.getState()
  const { chatSessionId: sessionId, order, gap } = state
  const at = gapOf(state)?.at
  if (!sessionId || at === undefined) return
  await loadMore(async () => {
    const [after, before] = order.slice(at, at + 2)
    const query = { limit: PAGE_SIZE, before, ...(from === 'above' ? { after } : {}) }
    const page = await call(getActiveBranch, { params: { sessionId }, query })
    if (messageStore.getState().gap === gap) fillGap(page, from)
  })
}

/** One load at a time for the current chat; pending loads of other chats do not block it. */
async function loadMore(read: () => Promise<void>): Promise<void> {
  if (messageStore.getState().loadingMore) return
  const mine = Symbol('reading')
  messageStore.setState({ loadingMore: mine })
  try {
    await read()
  } finally {
    if (messageStore.getState().loadingMore === mine) messageStore.setState({ loadingMore: null })
  }
}

/** Joins the active run of the current session: its reply shows as it arrives, wherever it was started. */
export function attachToRun(sessionId: string): void {
  const { chatSessionId, order, messagesById, isStreaming, elsewhereId } = messageStore.getState()
  if (chatSessionId !== sessionId || isStreaming || elsewhereId !== null) return
  const last = messagesById[order.at(-1) ?? '']
  if (last?.role === 'assistant' && last.status === 'streaming') {
    followReply(sessionId, last.id, { kind: 'attach', messageId: last.id })
    return
  }
  // Joining failed before, and its error message stays.
  if (last && isTemporary(last.id) && last.status === 'error') return
  const reply = temporaryReply({ sessionId, clientId: newClientId(), parentId: last?.id ?? null })
  appendMessages(reply)
  // A run without output leaves no trace; the branch has the current state.
  const ended = () => void openChat(sessionId)
  const isElsewhere = (first: FirstEvent) => {
    if (continues(first, last?.id ?? null)) return false
    // Runs of the queue may have ended before this one.
    setTimeout(() => void catchUp(sessionId))
    return true
  }
  followReply(sessionId, reply.id, { kind: 'attach', messageId: null }, { ended, isElsewhere })
}

/** Returns whether a run answers the current branch, or a question that follows it. */
function continues({ user_message: question }: FirstEvent, lastId: string | null): boolean {
  if (!question || question.id === lastId || question.parent_id === lastId) return true
  const { messagesById } = messageStore.getState()
  return (
    !messagesById[question.id] &&
    Object.values(messagesById).some(
      ({ client_id }) => client_id !== null && client_id === question.client_id,
    )
  )
}

/**
 * Shows messages that were sent and answered while this page was not told. Does nothing when the chat continued on another branch, and
 * while a reply is followed here.
 */
export async function catchUp(sessionId: string): Promise<void> {
  const { chatSessionId, order, isStreaming } = messageStore.getState()
  const last = order.at(-1)
  if (chatSessionId !== sessionId || isStreaming || last === undefined) return
  const asked = call(getActiveBranch, { params: { sessionId }, query: { limit: PAGE_SIZE } })
  // Without it, the next report tries again.
  const branch = await asked.catch(() => null)
  const now = messageStore.getState()
  if (!branch || now.chatSessionId !== sessionId || now.isStreaming || now.order.at(-1) !== last) return
  const at = branch.active_branch.findIndex(({ id }) => id === last)
  if (at < 0 || at === branch.active_branch.length - 1) return
  messageStore.setState({ elsewhereId: null })
  setBranch(branch)
  if (branch.active_branch.at(-1)?.status === 'streaming') attachToRun(sessionId)
}
