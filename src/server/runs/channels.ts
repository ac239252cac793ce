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
  tell: (sessionId: string, frame: Frame) => void
  has: (sessionId: string) => boolean
  names: () => string[]
  /** Listens from now on; the answer ends it. */
  join: (sessionId: string, listener: Listener) => () => void
}

export function createChannels(): Channels {
  const sessions = new Map<string, Set<Listener>>()
  return {
    tell: (sessionId, frame) => {
      for (const listener of sessions.get(sessionId) ?? []) listener(frame)
    },
    has: (sessionId) => sessions.has(sessionId),
    names: () => [...sessions.keys()],
    join: (sessionId, listener) => {
      const known = sessions.get(sessionId) ?? new Set()
      sessions.set(sessionId, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && sessions.get(sessionId) === known) sessions.delete(sessionId)
      }
    },
  }
}
