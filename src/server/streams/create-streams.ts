import type { Events } from '../events/events.ts'
import type { Authenticate } from '../http/serve.ts'
import type { Platform } from '../platform.ts'
import type { Engine } from '../runs/runs.ts'
import { type Alarm, createAlarm } from './alarm.ts'
import { createReaders, type Readers } from './readers.ts'
import type { Sequence } from './sequence.ts'

/** Who follows runs of other processes: where, how far, and what to do when that run rests. */
export type Follower = {
  where: {
    sessionId: string
    /** One run, or null for all. */
    runId: string | null
    /** Only what is above this id. */
    after: number
  }
  sequence: Sequence
  heardAt: number
  restingSince: number | null
  rested: () => void
  /** Whether it was told that nobody works on its run; `delayed` tells it. */
  isDelayed: boolean
  delayed: () => void
}

/** The readers of this process, and what they read. */
export type Streams = {
  deps: Platform
  engine: Engine
  events: Events
  readers: Readers
  followers: Set<Follower>
  /** Rings when other processes have stored something. */
  stored: Alarm
}

export function createStreams(engine: Engine, authenticate: Authenticate): Streams {
  const { deps, events } = engine
  return {
    deps,
    engine,
    events,
    readers: createReaders(authenticate),
    followers: new Set(),
    stored: createAlarm(),
  }
}
