import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { type Frame, frameOf } from '../events/events.ts'
import { createAttendance } from './attendance.ts'
import type { Delayed, Follower, Streams } from './create-streams.ts'
import { createSequence } from './sequence.ts'
import { findHeld, loadStored, ROWS_PER_SESSION, type StoredRow } from './store.ts'

/** Other processes say in which sessions they have stored something; what was said and not heard is found after this time. */
const LOOK_MS = 250
/** Between two readings, so that many processes that store do not make this one read all the time. */
const PAUSE_MS = 20
/** Who has just heard something live has nothing to read. */
const QUIET_MS = 300
/** An end is stored at most this long after it was committed, unless its process has died in between. */
const REST_MS = 500

type Callbacks = {
  event: (frame: Frame) => void
  /** The run it follows came to rest, and every stored event was given. */
  rested?: () => void
  /** No process works on a run it follows. */
  delayed?: (run: Delayed) => void
}

/**
 * Gives every event that other processes send in a session, each once and in order: over the bus as they are
 * sent, from the store what the bus did not bring. All followers of a process share one query. The answer ends it.
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
  // This process may take the run up itself.
  if (where.runId !== null) leaving.push(events.channels.join(where.sessionId, hear))
  followers.add(follower)
  // What was stored while nobody followed is read at once.
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

/** Whether a run rests is asked first: what it stored before that is then surely read. */
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

/** Gives what is stored to those it is new to; answers with the rows of each session. */
async function giveStored({ deps }: Streams, followers: Follower[]): Promise<Map<string, StoredRow[]>> {
  const rows = await loadStored(deps.db, boundsOf(followers))
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id)
  const framesFor = shareFrames(bySession)
  for (const follower of followers) {
    if (bySession.has(follower.where.sessionId)) follower.sequence.stored(framesFor(follower))
  }
  return bySession
}

/** The id in each session above which something is new to at least one follower. */
function boundsOf(followers: Follower[]): Map<string, number> {
  const bounds = new Map<string, number>()
  for (const { where, sequence } of followers) {
    bounds.set(where.sessionId, Math.min(sequence.after, bounds.get(where.sessionId) ?? Infinity))
  }
  return bounds
}

/** What is new to a follower; those who stand at the same place have the same frames, made once. */
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
