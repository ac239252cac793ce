import { type EditMessage, editMessage, regenerateReply } from '#shared/chat/branches/branches.ts'
import type { PostMessage } from '#shared/chat/messages/messages.ts'
import { postMessage } from '#shared/chat/messages/messages.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { terminalEvents } from '#shared/runs/runs/events.ts'
import { generateReply, navigateToCheckpoint, streamTask } from '#shared/runs/runs/runs.ts'
import { createStreamReader } from '#shared/runs/runs/stream-reader.ts'
import { isApiError } from '../../platform/lib/api/api-error.ts'
import { openRoute } from '../../platform/lib/api/call.ts'
import { raiseSessionExpired } from '../../platform/lib/me/session-expired.ts'
import { hiddenTooLong, wakeUp } from './attendance.ts'
import { readStream, UnreadableStream } from './read-stream.ts'

/** How a stream begins. After a broken connection it always reconnects. */
export type StreamStart =
  | { kind: 'send'; body: PostMessage }
  | { kind: 'generate'; messageId: string }
  | { kind: 'regenerate'; messageId: string; model: string | null }
  | { kind: 'edit'; messageId: string; body: EditMessage }
  | { kind: 'return'; body: { checkpoint_name: string; message_id: string; checkpoint_hint: string } }
  | { kind: 'attach'; messageId: string | null }

export type Follower = {
  event(event: RunEvent): void
  /** The stream has ended. */
  ended(): void
  /** It could not begin, or was refused permanently. */
  failed(error: unknown): void
  /** No one reads it here any more; the run may continue. */
  left?(): void
  /** The connection is lost and being retried (`attempt` from 1), or works again (null). */
  trouble?(attempt: number | null): void
  navigate?(to: string): void
}

const active = new Map<string, { control: AbortController; follower: Follower }>()
const longestWaitMs = 15_000
const longestTimer = 2 ** 31 - 1

/**
 * Follows the run of a session until it ends. One stream per session: a new one cancels the previous reader. Survives lost
 * connections, server restarts and hidden tabs; the run itself is unaffected.
 */
export function followRun(sessionId: string, start: StreamStart, follower: Follower): void {
  leaveRun(sessionId)
  const control = new AbortController()
  active.set(sessionId, { control, follower })
  void follow(sessionId, start, follower, control.signal).finally(() => {
    if (active.get(sessionId)?.control === control) active.delete(sessionId)
  })
}

/** Stops reading; the run continues and can be joined again. */
export function leaveRun(sessionId: string): void {
  const left = active.get(sessionId)
  active.delete(sessionId)
  left?.control.abort()
  left?.follower.left?.()
}

/** Returns whether a stream of the session is followed here. */
export function isFollowing(sessionId: string): boolean {
  return active.has(sessionId)
}

type Progress = {
  lastId: string | null
  /** Id of the followed reply, once known, because other tabs may start others. */
  messageId: string | null
  isOver: boolean
  attempt: number
  retryMs: number | null
  hasBegun: boolean
}

async function follow(
  sessionId: string,
  start: StreamStart,
  follower: Follower,
  left: AbortSignal,
): Promise<void> {
  const progress: Progress = {
    lastId: null,
    messageId: start.kind === 'attach' ? start.messageId : null,
    isOver: false,
    attempt: 0,
    retryMs: null,
    hasBegun: start.kind === 'attach',
  }
  const reader = createStreamReader()
  while (!left.aborted) {
    let isRefused = false
    const detached = new AbortController()
    const signal = AbortSignal.any([left, detached.signal])
    const stopWatching = hiddenTooLong(() => detached.abort())
    try {
      const response = await openStream(
        sessionId,
        progress.hasBegun ? { kind: 'attach', messageId: progress.messageId } : start,
        progress.lastId,
        signal,
      )
      progress.hasBegun = true
      const end = await readStream(response, reader, tell(follower, progress, left))
      if (left.aborted) return
      if (progress.isOver) return follower.ended()
      isRefused = end === 'unauthorized'
      if (isRefused) raiseSessionExpired()
    } catch (error) {
      if (left.aborted) return
      if (progress.isOver) return follower.ended()
      if (!detached.signal.aborted && isFinal(error, progress)) return follower.failed(error)
      isRefused = isApiError(error, 401)
      if (progress.hasBegun && !detached.signal.aborted)
        console.error('Failed to connect to task stream', error)
    } finally {
      stopWatching()
    }
    if (left.aborted) return
    // A tab that was hidden reconnects when it is visible again, without showing a problem.
    if (!detached.signal.aborted) follower.trouble?.(++progress.attempt)
    // After a refusal only a new token helps; signing in ends the wait.
    await wakeUp(detached.signal.aborted ? 0 : isRefused ? longestTimer : waitMs(progress), left)
  }
}

function tell(follower: Follower, progress: Progress, left: AbortSignal) {
  return {
    event: (event: RunEvent, id: string | null) => {
      if (left.aborted) return
      if (id !== null && id !== '') progress.lastId = id
      if (event.event === 'task_stream_init' && event.view) progress.messageId = event.view.message_id
      progress.isOver = isLast(event)
      follower.event(event)
    },
    retry: (ms: number) => {
      progress.retryMs = ms
    },
    alive: () => {
      if (progress.attempt > 0) follower.trouble?.(null)
      progress.attempt = 0
    },
    navigate: (to: string) => follower.navigate?.(to),
  }
}

/** Returns whether an event ends the stream: a terminal event, or the state of a run that is not active. */
function isLast(event: RunEvent): boolean {
  if (event.event === 'task_stream_init') return event.view?.status !== 'streaming'
  return terminalEvents.has(event.event)
}

/** Returns whether a retry is useless: after a refusal, or if the server never accepted the start. */
function isFinal(error: unknown, progress: Progress): boolean {
  if (!progress.hasBegun || error instanceof UnreadableStream) return true
  if (!isApiError(error)) return false
  return error.status >= 400 && error.status < 500 && ![401, 408, 425, 429].includes(error.status)
}

/** Returns the wait before connection `attempt` (from 1), at least as long as the server asked for. */
export function waitMs({ attempt, retryMs }: Pick<Progress, 'attempt' | 'retryMs'>): number {
  const backoff = Math.min(500 * 2 ** (attempt - 1), longestWaitMs)
  // Spreads the readers of a restarted server.
  return Math.max(retryMs ?? 0, backoff * (0.75 + Math.random() / 2))
}

function openStream(
  sessionId: string,
  start: StreamStart,
  lastId: string | null,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (start.kind === 'send')
    return openRoute(postMessage, { params: { sessionId }, body: start.body, headers, signal })
  if (start.kind === 'generate')
    return openRoute(generateReply, { params: { sessionId, messageId: start.messageId }, headers, signal })
  if (start.kind === 'regenerate') {
    const { messageId, model } = start
    const body = model ? { model_name: model } : {}
    return openRoute(regenerateReply, { params: { sessionId, messageId }, body, headers, signal })
  }
  if (start.kind === 'edit') {
    const { messageId, body } = start
    return openRoute(editMessage, { params: { sessionId, messageId }, body, headers, signal })
  }
  if (start.kind === 'return')
    return openRoute(navigateToCheckpoint, { params: { sessionId }, body: start.body, headers, signal })
  if (lastId !== null) headers['last-event-id'] = lastId
  const query = start.messageId === null ? {} : { message_id: start.messageId }
  return openRoute(streamTask, { params: { sessionId }, query, headers, signal })
}
