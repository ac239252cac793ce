import type { RunEvent } from '#shared/runs/runs/events.ts'

/** One event on its way to readers, serialised once for all of them. */
export type Frame = {
  /** The stream id: epoch × 10⁹ + n. `task_stream_init` has an id in the store, but not on the wire. */
  id: number
  event: RunEvent
  /** The `data:` line. */
  data: string
  /** The SSE text as sent on the wire. */
  text: string
}

export type Listener<Said = Frame> = (said: Said) => void

/** Listeners of this process, by session. */
export type Channels<Said = Frame> = {
  tell: (sessionId: string, said: Said) => void
  has: (sessionId: string) => boolean
  names: () => string[]
  /** Subscribes a listener. Returns the function that unsubscribes it. */
  join: (sessionId: string, listener: Listener<Said>) => () => void
}

export function createChannels<Said = Frame>(): Channels<Said> {
  const sessions = new Map<string, Set<Listener<Said>>>()
  return {
    tell: (sessionId, said) => {
      for (const listener of sessions.get(sessionId) ?? []) listener(said)
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
