import type { RunEvent } from '#shared/runs/events.ts'
import { type Frame, frameOf } from '../events/events.ts'
import { createAttendance } from './attendance.ts'
import type { Follower, Streams } from './create-streams.ts'
import { createSequence } from './sequence.ts'
import { findHeld, loadStored, ROWS_PER_SESSION, type StoredRow } from './store.ts'

/** Other processes say when they have stored something; what was said and not heard is found after this time. */
const READ_MS = 250
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
  /** No process works on the run it follows. */
  delayed?: () => void
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
  const { events, followers } = streams
  const follower: Follower = {
    where,
    sequence: createSequence(where.after, event),
    ...{ heardAt: Number.NEGATIVE_INFINITY, restingSince: null, isDelayed: false },
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
  if (followers.size === 1) void readOn(streams)
  return () => {
    followers.delete(follower)
    for (const leave of leaving) leave()
  }
}

async function readOn(streams: Streams): Promise<void> {
  const { followers, engine, deps, stored } = streams
  const attend = createAttendance(streams)
  while (followers.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    await stored.wait(READ_MS)
    const quietSince = performance.now() - QUIET_MS
    const due = [...followers].filter(
      ({ where, heardAt }) => heardAt < quietSince && (where.runId !== null || engine.hasPeers),
    )
    if (due.length === 0) continue
    try {
      await readOnce(streams, due)
      await attend()
    } catch (error) {
      deps.log.warn({ error }, 'Events of other processes could not be read.')
    }
  }
}

async function readOnce({ deps }: Streams, followers: Follower[]): Promise<void> {
  // Whether a run rests is asked first: what it stored before that is then surely read.
  const held = await findHeld(deps.db, new Set(followers.flatMap(({ where }) => where.runId ?? [])))
  const rows = await loadStored(deps.db, boundsOf(followers))
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id)
  const framesFor = shareFrames(bySession)
  for (const follower of followers) {
    const mine = bySession.get(follower.where.sessionId) ?? []
    if (mine.length > 0) follower.sequence.stored(framesFor(follower))
    if (follower.where.runId !== null && mine.length < ROWS_PER_SESSION) {
      noticeRest(follower, held.has(follower.where.runId))
    }
  }
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
