import { createAdmit, withdrawnChannel } from '../../platform/access/access.ts'
import type { Authenticate } from '../../platform/http/serve.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Events } from '../events/events.ts'
import type { Engine } from '../runs/runs.ts'
import { type Alarm, createAlarm } from './alarm.ts'
import { createReaders, type Reader, type Readers } from './readers.ts'
import type { Sequence } from './sequence.ts'
import type { Wish } from './tape.ts'

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
  /** The run it was told of that nobody works on; `delayed` tells it. */
  delayedRun: string | null
  delayed: (run: Delayed) => void
}

/** A run that is to be worked on, and nobody does. */
export type Delayed = { id: string; attempt: number }

/** The reply of another process as all its readers here share it: read once, followed once, folded once. */
export type Mirror = {
  /** Sends what there is, then what comes. False when it is over: where its run stands has to be asked again. */
  attach: (reader: Reader, wish: Wish) => Promise<boolean>
}

/** The readers of this process, and what they read. */
export type Streams = {
  deps: Platform
  engine: Engine
  events: Events
  readers: Readers
  followers: Set<Follower>
  /** The replies of other processes that have readers here, by run. */
  mirrors: Map<string, Promise<Mirror>>
  /** Rings when other processes have stored something, with the sessions if they are known. */
  stored: Alarm
}

/** What the database says when somebody is signed out somewhere, by their id (migrations/0023_sign_ins.sql). */
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
