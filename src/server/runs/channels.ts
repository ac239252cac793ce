import type { RunEvent } from '#shared/runs/events.ts'

/** One event on its way to readers: serialised once, whoever reads it. */
export type Frame = {
  /** The stream id (epoch × 10⁹ + n). `task_stream_init` has one in store, but not on the wire. */
  id: number
  event: RunEvent
  /** The `data:` line. */
  data: string
  /** The blocks of text that go on the wire. */
  text: string
}

export type Listener = (frame: Frame) => void

/** Who listens to which session in this process. */
export type Channels = {
  /** The set that a run publishes to; the same object as long as anybody holds it. */
  of: (sessionId: string) => Set<Listener>
  /** Listens from now on; the answer ends it. */
  join: (sessionId: string, listener: Listener) => () => void
  /** Forgets a session that nobody listens to. */
  leave: (sessionId: string) => void
}

export function createChannels(): Channels {
  const sessions = new Map<string, Set<Listener>>()
  const of = (sessionId: string) => {
    const known = sessions.get(sessionId) ?? new Set()
    sessions.set(sessionId, known)
    return known
  }
  const leave = (sessionId: string) => {
    if (sessions.get(sessionId)?.size === 0) sessions.delete(sessionId)
  }
  return {
    of,
    leave,
    join: (sessionId, listener) => {
      of(sessionId).add(listener)
      return () => {
        sessions.get(sessionId)?.delete(listener)
      }
    },
  }
}
