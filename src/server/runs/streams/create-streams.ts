import { createAdmit, withdrawnChannel } from '../../platform/access/access.ts'
import type { Authenticate } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Events } from '../events/events.ts'
import type { Engine } from '../runs/runs.ts'
import { type Alarm, createAlarm } from './alarm.ts'
import { createReaders, type Reader, type Readers } from './readers.ts'
import type { Sequence } from './sequence.ts'
import type { Wish } from './tape.ts'

/** A reader of runs on other processes: its position and its callbacks. */
export type Follower = {
  where: {
    sessionId: string
    /** Run id, or null for all runs of the session. */
    runId: string | null
    /** Delivers only events above this id. */
    after: number
  }
  sequence: Sequence
  heardAt: number
  restingSince: number | null
  rested: () => void
  /** Run whose delay was already reported through `delayed`. */
  delayedRun: string | null
  delayed: (run: Delayed) => void
}

/** A run that is due for execution but has no process. */
export type Delayed = { id: string; attempt: number }

/** A reply of another process, shared by its local readers: read, followed and folded once. */
export type Mirror = {
  /** Sends the snapshot or replay, then live events. Resolves false when the run is over and must be looked up again. */
  attach: (reader: Reader, wish: Wish) => Promise<boolean>
}

/** The open readers of this process and their sources. */
export type Streams = {
  deps: Platform
  engine: Engine
  events: Events
  readers: Readers
  followers: Set<Follower>
  /** Mirrors of remote replies with local readers, by run. */
  mirrors: Map<string, Promise<Mirror>>
  /** Rings when other processes have stored events, with the session ids if known. */
  stored: Alarm
}

/** Notification channel for sign-outs; the payload is a user id (migrations/0023_sign_ins.sql). */
const signOutChannel = 'atrium_sign_out'

export function createStreams(engine: Engine, authenticate: Authenticate): Streams {
  const { deps, events } = engine
  const readers = createReaders({ authenticate, admit: createAdmit(deps.db) })
  const heard = [
    deps.instance.listen(signOutChannel, (userId) => readers.recheck({ userId })),
    deps.instance.listen(withdrawnChannel, (sessionId) => readers.recheck({ sessionId })),
  ]
  Promise.all(heard).catch((error: unknown) =>
    deps.log.warn({ error }, 'Sign-outs and withdrawn rights are not heard of at once.'),
  )
  return {
    deps,
    engine,
    events,
    readers,
    followers: new Set(),
    mirrors: new Map(),
    stored: createAlarm(),
  }
}
