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

/** How much of a branch is read at once. */
export const PAGE_SIZE = 200
let opening: AbortController | null = null

/** What became of opening a chat: `gone` when it does not exist, `refused` when it is somebody else's. */
export type Opened = 'shown' | 'gone' | 'refused' | 'failed' | 'left'

/** Shows a session: its messages are read, what was shown before is left. */
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
    // A message that was sent meanwhile knows more than the page.
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

/** Makes a chat that the server does not know. False without a connection: it is made as soon as there is one. */
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

/** Why a chat cannot be shown at all; null when it may be tried again. */
export function whyLost(error: unknown): 'gone' | 'refused' | null {
  if (isApiError(error, 404)) return 'gone'
  return isApiError(error, 403) ? 'refused' : null
}

/** Leaves the chat on screen: its stream is no longer read here, the run goes on. */
export function leaveChat(sessionId: string): void {
  opening?.abort()
  void tellNow()
  leaveReply(sessionId)
}

/** Reads the page before the oldest message shown. Does nothing while that is under way, or when there is none. */
export async function loadOlder(): Promise<void> {
  const { chatSessionId: sessionId, order, hasOlder } = messageStore.getState()
  const [before] = order
  if (!hasOlder || !sessionId || !before) return
  await loadMore(async () => {
    const query = { limit: PAGE_SIZE, before }
    const branch = await call(getActiveBranch, { params: { sessionId }, query })
    // Another branch, or a page far above, may have come meanwhile.
    if (messageStore.getState().order[0] === before) prependBranch(branch)
  })
}

/** Reads what is missing next to what the reader has reached, from above or from below. */
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

/** One at a time for the chat on screen; what another chat still waits for keeps this one from nothing. */
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

/** Joins the run that is writing in the session on screen: its reply shows as it comes, wherever it was started. */
export function attachToRun(sessionId: string): void {
  const { chatSessionId, order, messagesById, isStreaming, elsewhereId } = messageStore.getState()
  if (chatSessionId !== sessionId || isStreaming || elsewhereId !== null) return
  const last = messagesById[order.at(-1) ?? '']
  if (last?.role === 'assistant' && last.status === 'streaming') {
    followReply(sessionId, last.id, { kind: 'attach', messageId: last.id })
    return
  }
  // It could not be joined before; the message that says so stays.
  if (last && isTemporary(last.id) && last.status === 'error') return
  const reply = temporaryReply({ sessionId, clientId: newClientId(), parentId: last?.id ?? null })
  appendMessages(reply)
  // A run that never wrote leaves no trace: the branch says how things are.
  const ended = () => void openChat(sessionId)
  const isElsewhere = (first: FirstEvent) => !continues(first, last?.id ?? null)
  followReply(sessionId, reply.id, { kind: 'attach', messageId: null }, { ended, isElsewhere })
}

/** Whether a run answers what is on screen, or a question that follows it. */
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
