import type { Session } from '#shared/chat/sessions/sessions.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { applyEvent } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { queryClient } from '../../../platform/lib/api/query-client.ts'
import { followRun, leaveRun, liveViews, type StreamStart } from '../../../runs/runs/runs.ts'
import { knownSession, noteSession, refreshSession } from '../../../runs/sessions/sessions.ts'
import { announce, type Occasion, sayStill } from './announcements.ts'
import {
  appendMessages,
  type ChatMessage,
  messageStore,
  patchMessage,
  removeMessages,
  renameMessage,
} from './message-store.ts'
import { showBetween } from './show-between.ts'
import { forgetUntold } from './tell-branch.ts'
import { isTemporary } from './temporary.ts'

/** Text of a message that received nothing of its reply. */
export const LOAD_FAILED = 'Error: Failed to load response'

export type FirstEvent = Extract<RunEvent, { event: 'task_stream_init' }>

type Told = {
  /** The server accepted the message or the request. */
  begun?(): void
  /** The stream could not begin, and nothing was changed on the server. Without it, the reply shows the error. */
  refused?(error: unknown): void
  /** It was left before anything arrived, so it is unknown whether the server has it. */
  left?(): void
  ended?(): void
  /** Returns whether the run writes on another branch; then it is left again. */
  isElsewhere?(first: FirstEvent): boolean
  navigate?(to: string): void
}

/**
 * Follows the run that writes the message `replyId` (possibly temporary) of the current chat: its view goes to `liveViews`,
 * ids are replaced as soon as they are known, and at the end the store has the message.
 */
export function followReply(sessionId: string, replyId: string, start: StreamStart, told: Told = {}): void {
  const reply = messageStore.getState().messagesById[replyId]
  if (!reply) return
  const { key } = reply
  let view: RunView | null = null
  let hasBegun = start.kind === 'attach'
  messageStore.setState({
    streamingId: replyId,
    isStreaming: true,
    streamingSessionId: sessionId,
    reconnecting: null,
  })
  patchMessage(replyId, { status: 'streaming' })
  const before = knownSession(sessionId)
  noteSession(sessionId, atWork)
  announce('started')

  followRun(sessionId, start, {
    event(event) {
      if (event.event === 'task_stream_init' && told.isElsewhere?.(event))
        return leaveElsewhere(sessionId, key, event)
      if (!hasBegun) {
        told.begun?.()
        // The new run made its own branch active, and may have named the chat.
        forgetUntold()
        refreshSession(sessionId)
      }
      hasBegun = true
      const before = view
      view = applyEvent(view, event)
      if (event.event === 'task_stream_init' && event.user_message) placeQuestion(event.user_message, key)
      if (view && (before?.message_id !== view.message_id || !before)) reconcile(key, view)
      if (view && view !== before) liveViews.set(key, view)
      announceEvent(event)
      announceWaiting(before, view)
    },
    trouble: (reconnecting) => messageStore.setState({ reconnecting }),
    ended() {
      finish(sessionId, key, view)
      told.ended?.()
    },
    failed(error) {
      if (!hasBegun && told.refused) {
        if (before) noteSession(sessionId, standingOf(before))
        stop(sessionId, key)
        told.refused(error)
        return
      }
      fail(sessionId, key, view, error)
    },
    left() {
      if (!hasBegun) told.left?.()
    },
    ...(told.navigate ? { navigate: told.navigate } : {}),
  })
}

/** Stops reading the session's stream and drops its view; the run continues. */
export function leaveReply(sessionId: string): void {
  leaveRun(sessionId)
  const { streamingId, streamingSessionId, messagesById } = messageStore.getState()
  if (streamingSessionId !== sessionId || !streamingId) return
  const key = messagesById[streamingId]?.key
  if (key) stop(sessionId, key)
}

function leaveElsewhere(sessionId: string, key: string, { view }: FirstEvent): void {
  leaveReply(sessionId)
  removeMessages(idOf(key) ?? '')
  messageStore.setState({ elsewhereId: view?.message_id ?? null })
}

function idOf(key: string): string | undefined {
  return Object.values(messageStore.getState().messagesById).find((message) => message.key === key)?.id
}

/** Replaces the ids of the question and the reply with the server's. */
function reconcile(key: string, view: RunView): void {
  const id = idOf(key)
  if (!id || !view.message_id) return
  const { messagesById } = messageStore.getState()
  const parentId = messagesById[id]?.parent_id
  if (parentId && isTemporary(parentId))
    renameMessage(parentId, view.user_message_id, { status: 'completed' })
  renameMessage(id, view.message_id, {
    parent_id: view.user_message_id,
    model_name: view.model_name,
    status: 'streaming',
    metadata: { ...messagesById[id]?.metadata, ...writerIn(view) },
  })
}

/** Places the question from the server: a local one gets its id, another one is inserted before its reply. */
function placeQuestion(message: Message, replyKey: string): void {
  const state = messageStore.getState()
  const ours = Object.values(state.messagesById).find(
    ({ client_id }) => client_id && client_id === message.client_id,
  )
  if (ours) {
    renameMessage(ours.id, message.id, { ...message, key: ours.key } as Partial<ChatMessage>)
    if (ours.parent_id !== message.parent_id) void showBetween(message.id)
  } else if (!state.messagesById[message.id]) {
    const replyId = idOf(replyKey)
    appendMessages({ ...message, key: message.client_id ?? message.id })
    messageStore.setState(({ order }) => ({
      order: [...order.filter((id) => id !== replyId), ...(replyId ? [replyId] : [])],
    }))
  }
  const replyId = idOf(replyKey)
  if (replyId) patchMessage(replyId, { parent_id: message.id })
}

function finish(sessionId: string, key: string, view: RunView | null): void {
  const id = idOf(key)
  if (id && view) {
    patchMessage(id, {
      content: view.content,
      cachedContent: null,
      blocks: view.blocks,
      status: messageStatusOf(view),
      model_name: view.model_name,
      metadata: { ...messageStore.getState().messagesById[id]?.metadata, ...metadataOf(view) },
    })
    messageStore.setState({ currentBranchId: id })
  } else if (id && isTemporary(id)) {
    patchMessage(id, { status: 'error', content: LOAD_FAILED })
  }
  noteSession(sessionId, statusOf(view))
  if (view?.status === 'waiting' || view?.status === 'paused')
    void queryClient.invalidateQueries({ queryKey: ['input-requests'] })
  // A waiting run has already been announced.
  if (view?.status !== 'waiting') announce(occasionOf(view), view?.content)
  stop(sessionId, key)
}

/** Existing text stays; an empty reply shows an error. */
function fail(sessionId: string, key: string, view: RunView | null, error: unknown): void {
  const id = idOf(key)
  const reason = error instanceof Error ? error.message : ''
  if (id) {
    const text = view?.content ? view.content : LOAD_FAILED
    patchMessage(id, {
      content: text,
      blocks: view?.blocks ?? [],
      status: 'error',
      metadata: { stream_error: reason },
    })
  }
  announce('failed')
  stop(sessionId, key)
  refreshSession(sessionId)
}

function stop(sessionId: string, key: string): void {
  const state = messageStore.getState()
  if (state.streamingSessionId === sessionId)
    messageStore.setState({
      streamingId: null,
      isStreaming: false,
      streamingSessionId: null,
      reconnecting: null,
      regeneratingId: null,
      editAndRegenerateId: null,
    })
  liveViews.flush()
  liveViews.close(key)
}

function metadataOf(view: RunView): Record<string, unknown> {
  const { run_id, stopped, status: run_status, usage } = view
  return { run_id, stopped, run_status, ...(usage && { usage }), ...writerIn(view) }
}

const writerIn = ({ assistant }: RunView) => assistant && { assistant }

/** A reply whose run rests without an end is still being written. */
function messageStatusOf({ status }: RunView): ChatMessage['status'] {
  if (status === 'error') return 'error'
  return status === 'waiting' || status === 'paused' ? 'streaming' : 'completed'
}

/** State of a session, as far as its mark depends on it. */
type Standing = Pick<Session, 'status' | 'agent_status' | 'pending_input' | 'is_stopped'>

const still = { pending_input: null, is_stopped: false }
const atWork: Standing = { status: 'GENERATING', agent_status: 'processing', ...still }

function standingOf({ status, agent_status, pending_input, is_stopped }: Standing): Standing {
  return { status, agent_status, pending_input, is_stopped }
}

function statusOf(view: RunView | null): Standing {
  if (view?.status === 'error') return { status: 'FAILED', agent_status: 'error', ...still }
  if (view?.status === 'paused') return { status: 'active', agent_status: 'paused', ...still }
  if (view?.status !== 'waiting')
    return { status: 'COMPLETED', agent_status: 'completed', ...still, is_stopped: view?.stopped === true }
  const asked = view.blocks.find((block) => block.type === 'input_required' && block.state === 'waiting')
  return { status: 'active', agent_status: 'paused', ...still, pending_input: { ...asked } }
}

function occasionOf(view: RunView | null): Occasion {
  if (view?.status === 'error') return 'failed'
  if (view?.status === 'paused') return 'paused'
  return view?.stopped ? 'stopped' : 'finished'
}

/** Announces the wait for a turn once, however many calls wait. */
function announceWaiting(before: RunView | null, now: RunView | null): void {
  if (now?.waiting && !before?.waiting) announce('per_minute' in now.waiting ? 'waiting' : 'not_begun')
  if (before?.waiting && now && !now.waiting) sayStill()
}

function announceEvent(event: RunEvent): void {
  if (event.event === 'input_required') announce('input_required')
  if (event.event === 'agent_delayed') announce('delayed')
  if (event.event !== 'tool_update') return
  if (event.type === 'tool_start') announce('tool_started', event.tool_name)
  if (event.data.status === 'complete') announce('tool_finished', event.tool_name)
}
