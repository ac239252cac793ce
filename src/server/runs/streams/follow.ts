import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { type Frame, frameOf } from '../events/events.ts'
import { createAttendance } from './attendance.ts'
import type { Delayed, Follower, Streams } from './create-streams.ts'
import { createSequence } from './sequence.ts'
import { findHeld, loadStored, ROWS_PER_SESSION, type StoredRow } from './store.ts'

/** Fallback poll interval, for notifications that got lost, in milliseconds. */
const LOOK_MS = 250
/** Minimum pause between two reads, so that many storing processes do not cause constant reads. */
const PAUSE_MS = 20
/** A follower that received live events this recently needs no read. */
const QUIET_MS = 300
/** An end is stored at most this long after its commit, unless its process died in between. */
const REST_MS = 500

type Callbacks = {
  event: (frame: Frame) => void
  /** Called when the followed run came to rest and all stored events were delivered. */
  rested?: () => void
  /** Called when no process executes the followed run. */
  delayed?: (run: Delayed) => void
}

/**
 * Delivers every event of other processes in a session once and in order: live from the bus, with gaps filled from the
 * store. All followers of a process share one query. Returns the function that unsubscribes.
 */
export function follow(
  streams: Streams,
  where: Follower['where'],
  { event, rested = () => undefined, delayed = () => undefined }: Callbacks,
): () => void {
  const { events, followers, stored } = streams
  const follower: Follower = {
    where,
    sequence: createSequence(where.after, event),
    ...{ heardAt: Number.NEGATIVE_INFINITY, restingSince: null, delayedRun: null },
    ...{ rested, delayed },
  }
  const hear = (frame: Frame) => {
    if (where.runId !== null && frame.event.run_id !== where.runId) return
    if (follower.sequence.live(frame)) follower.heardAt = performance.now()
  }
  const leaving = [events.relay.follow(where.sessionId, hear)]
  // This process may resume the run itself.
  if (where.runId !== null) leaving.push(events.channels.join(where.sessionId, hear))
  followers.add(follower)
  // Reads events stored before there was a follower.
  stored.ring([where.sessionId])
  if (followers.size === 1) void readOn(streams)
  return () => {
    followers.delete(follower)
    for (const leave of leaving) leave()
  }
}

async function readOn(streams: Streams): Promise<void> {
  const { followers, engine, deps, stored } = streams
  const attend = createAttendance(streams)
  let lookedAt = Number.NEGATIVE_INFINITY
  while (followers.size > 0) {
    await sleep(PAUSE_MS)
    const named = await stored.wait(LOOK_MS)
    const now = performance.now()
    const isLook = now - lookedAt >= LOOK_MS
    if (isLook) lookedAt = now
    const due = [...followers].filter(({ where, heardAt }) => {
      const mayHaveNews = isLook || named === null || named.has(where.sessionId)
      return mayHaveNews && heardAt < now - QUIET_MS && (where.runId !== null || engine.hasPeers)
    })
    try {
      if (due.length > 0) await (isLook ? lookForRest : giveStored)(streams, due)
      await attend()
    } catch (error) {
      deps.log.warn({ error }, 'Events of other processes could not be read.')
    }
  }
}

/** Looks for runs at rest. It queries their state first, so that the following read includes their last events. */
async function lookForRest(streams: Streams, followers: Follower[]): Promise<void> {
  const runIds = new Set(followers.flatMap(({ where }) => where.runId ?? []))
  const held = await findHeld(streams.deps.db, runIds)
  const bySession = await giveStored(streams, followers)
  for (const follower of followers) {
    const { runId, sessionId } = follower.where
    const isAllRead = (bySession.get(sessionId)?.length ?? 0) < ROWS_PER_SESSION
    if (runId !== null && isAllRead) noticeRest(follower, held.has(runId))
  }
}

/** Delivers stored events to the followers that lack them. Returns the rows by session. */
async function giveStored({ deps }: Streams, followers: Follower[]): Promise<Map<string, StoredRow[]>> {
  const rows = await loadStored(deps.db, boundsOf(followers))
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id)
  const framesFor = shareFrames(bySession)
  for (const follower of followers) {
    if (bySession.has(follower.where.sessionId)) follower.sequence.stored(framesFor(follower))
  }
  return bySession
}

/** Returns for each session the lowest position of its followers. */
function boundsOf(followers: Follower[]): Map<string, number> {
  const bounds = new Map<string, number>()
  for (const { where, sequence } of followers) {
    bounds.set(where.sessionId, Math.min(sequence.after, bounds.get(where.sessionId) ?? Infinity))
  }
  return bounds
}

/** Returns a follower's new frames. Followers at the same position share the same frames. */
function shareFrames(bySession: Map<string, StoredRow[]>): (follower: Follower) => Frame[] {
  const made = new Map<string, Frame[]>()
  return ({ where: { sessionId, runId }, sequence: { after } }) => {
    const place = `${sessionId} ${runId} ${after}`
    const known = made.get(place)
    if (known) return known
    const rows = bySession.get(sessionId) ?? []
    const frames = rows
      .filter(({ run_id }) => runId === null || run_id === runId)
      .flatMap(({ events }) => events.filter(([id]) => id > after))
      .map(([id, event, fields]) => frameOf(id, { ...fields, event } as RunEvent))
    made.set(place, frames)
    return frames
  }
}

function noticeRest(follower: Follower, isHeld: boolean): void {
  const now = performance.now()
  follower.restingSince = isHeld ? null : (follower.restingSince ?? now)
  if (follower.restingSince !== null && now - follower.restingSince >= REST_MS) follower.rested()
}
