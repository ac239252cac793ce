import * as z from 'zod/mini'
import { createJoiner, parseJson } from '#shared/runs/runs/join.ts'
import { isChunkName, type WireEvent } from '#shared/runs/runs/split.ts'
import { isApiError } from '../../../platform/lib/api/api-error.ts'
import { type RunReader, readStream, UnreadableStream, waitMs, wakeUp } from '../../../runs/runs/runs.ts'

export type EventsFollower = {
  /** An event as it came, under whatever name; `pieces` when it was put together from that many chunks. */
  event(event: WireEvent, pieces: number | null): void
  /** The connection works. */
  opened(): void
  /** It broke, or never began, and is tried again. */
  lost(): void
  /** The server refused it, or there is nothing to read: nothing more will come. */
  closed(error: unknown): void
}

/**
 * Reads a session's event stream as it is on the wire, in hidden tabs too, until the function it gives is called.
 * A lost connection is opened again by `open`, with the last id that came: the server sends what was missed.
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

/** Tells every event as it is, and large ones once more when all their chunks are there. */
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

/** Where the stream stands after an event: its id, or what a beginning says. */
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
