import * as z from 'zod/mini'
import { createJoiner, parseJson } from '#shared/runs/runs/join.ts'
import { isChunkName, type WireEvent } from '#shared/runs/runs/split.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { type RunReader, readStream, UnreadableStream, waitMs, wakeUp } from '../../../runs/runs/runs.ts'

export type EventsFollower = {
  /** Called with each raw event; `pieces` is the number of chunks of a reassembled event, otherwise null. */
  event(event: WireEvent, pieces: number | null): void
  /** Called when the connection is open. */
  opened(): void
  /** Called when the connection breaks or fails to open. It is retried. */
  lost(): void
  /** Called when the server refuses or there is nothing to read. It is not retried. */
  closed(error: unknown): void
}

/**
 * Reads a session's raw event stream, in hidden tabs too. Returns a function that stops it.
 * Reopens a lost connection with the last event id, so that the server sends the missed events.
 */
export function followEvents(open: Open, follower: EventsFollower): () => void {
  const control = new AbortController()
  void follow(open, follower, control.signal)
  return () => control.abort()
}

const Standing = z.object({ last_event_id: z.string() })

type Open = (signal: AbortSignal, lastId: string | null) => Promise<Response>
type Progress = { attempt: number; retryMs: number | null; lastId: string | null }

async function follow(open: Open, follower: EventsFollower, left: AbortSignal): Promise<void> {
  const progress: Progress = { attempt: 0, retryMs: null, lastId: null }
  const told = {
    event: () => undefined,
    retry: (ms: number) => {
      progress.retryMs = ms
    },
  }
  while (!left.aborted) {
    try {
      const response = await open(left, progress.lastId)
      follower.opened()
      progress.attempt = 0
      const end = await readStream(response, createRecorder(follower, progress, left), told)
      if (end === 'unauthorized' && !left.aborted) return follower.closed(null)
    } catch (error) {
      if (left.aborted) return
      if (isFinal(error)) return follower.closed(error)
    }
    if (left.aborted) return
    progress.attempt += 1
    follower.lost()
    await wakeUp(waitMs(progress), left)
  }
}

/** Passes on each raw event, and large events again once all their chunks have arrived. */
function createRecorder(follower: EventsFollower, progress: Progress, left: AbortSignal): RunReader {
  const join = createJoiner()
  return {
    read(wire) {
      if (left.aborted) return null
      follower.event(wire, null)
      const whole = isChunkName(wire.event) ? join(wire) : null
      progress.lastId = idOf(whole ?? wire) ?? progress.lastId
      if (whole) follower.event(whole, JSON.parse(wire.data).total_chunks)
      return null
    },
  }
}

/** Returns the stream position after an event: its id, or the position named by a start event. */
function idOf({ event, id, data }: WireEvent): string | null {
  if (id !== null) return id
  if (event !== 'connection_established' && event !== 'task_stream_init') return null
  return Standing.safeParse(parseJson(data)).data?.last_event_id ?? null
}

function isFinal(error: unknown): boolean {
  if (error instanceof UnreadableStream) return true
  return (
    isApiError(error) && error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status)
  )
}
