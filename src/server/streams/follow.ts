import { sql } from 'kysely'
import type { RunEvent } from '#shared/runs/events.ts'
import { type Frame, frameOf } from '../events/events.ts'
import type { Follower, Streams } from './create-streams.ts'
import { createSequence } from './sequence.ts'

/** How often what other processes store is read, in milliseconds. */
const READ_MS = 100
/** Who has just heard something live has nothing to read. */
const QUIET_MS = 300
/** An end is stored at most this long after it was committed, unless its process has died in between. */
const REST_MS = 500

type Callbacks = {
  event: (frame: Frame) => void
  /** The run it follows came to rest, and every stored event was given. */
  rested?: () => void
}
/**
 * Gives every event that other processes send in a session, each once and in order: over the bus as they are
 * sent, from the store what the bus did not bring. All followers of a process share one query. The answer ends it.
 */
export function follow(streams: Streams, where: Follower['where'], { event, rested }: Callbacks): () => void {
  const { events, followers } = streams
  const follower: Follower = {
    where,
    sequence: createSequence(where.after, event),
    heardAt: Number.NEGATIVE_INFINITY,
    restingSince: null,
    rested: rested ?? (() => undefined),
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
  const { followers, engine, deps } = streams
  while (followers.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, READ_MS))
    const quietSince = performance.now() - QUIET_MS
    const due = [...followers].filter(
      ({ where, heardAt }) => heardAt < quietSince && (where.runId !== null || engine.hasPeers),
    )
    if (due.length === 0) continue
    try {
      await readOnce(streams, due)
    } catch (error) {
      deps.log.warn({ error }, 'Events of other processes could not be read.')
    }
  }
}

/** Rows of 100 ms that are read of one session at once; the rest comes with the next reading. */
const ROWS_PER_SESSION = 100
type Row = { session_id: string; run_id: string; events: [number, string, object][] }

async function readOnce(streams: Streams, followers: Follower[]): Promise<void> {
  // Whether a run rests is asked first: what it stored before that is then surely read.
  const held = await findHeld(streams, followers)
  const rows = await loadNew(streams, followers)
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id)
  for (const follower of followers) {
    const mine = bySession.get(follower.where.sessionId) ?? []
    give(follower, mine)
    if (follower.where.runId !== null && mine.length < ROWS_PER_SESSION) {
      noticeRest(follower, held.has(follower.where.runId))
    }
  }
}

/** What is new to at least one follower of each session, oldest first. Ids of one session say nothing of another's. */
async function loadNew({ deps }: Streams, followers: Follower[]): Promise<Row[]> {
  const bounds = new Map<string, number>()
  for (const { where, sequence } of followers) {
    bounds.set(where.sessionId, Math.min(sequence.after, bounds.get(where.sessionId) ?? Infinity))
  }
  const { rows } = await sql<Row>`
    select bound.session_id, sent.run_id, sent.events
    from unnest(${[...bounds.keys()]}::uuid[], ${[...bounds.values()]}::bigint[]) as bound (session_id, after)
    cross join lateral (
      select run_id, last_id, events from run_events
      where run_events.session_id = bound.session_id and last_id > bound.after
      order by last_id limit ${ROWS_PER_SESSION}
    ) as sent
    order by sent.last_id`.execute(deps.db)
  return rows
}

function give({ where, sequence }: Follower, rows: Row[]): void {
  const mine = rows.filter(({ run_id }) => where.runId === null || run_id === where.runId)
  const frames = mine.flatMap(({ events }) =>
    events
      .filter(([id]) => id > sequence.after)
      .map(([id, event, fields]) => frameOf(id, { ...fields, event } as RunEvent)),
  )
  sequence.stored(frames)
}

function noticeRest(follower: Follower, isHeld: boolean): void {
  const now = performance.now()
  follower.restingSince = isHeld ? null : (follower.restingSince ?? now)
  if (follower.restingSince !== null && now - follower.restingSince >= REST_MS) follower.rested()
}

/** Which of the runs are worked on, or about to be. */
async function findHeld({ deps }: Streams, followers: Follower[]): Promise<Set<string>> {
  const ids = followers.flatMap(({ where }) => (where.runId === null ? [] : [where.runId]))
  if (ids.length === 0) return new Set()
  const rows = await deps.db
    .selectFrom('runs')
    .select('id')
    .where('id', 'in', ids)
    .where('state', 'in', ['queued', 'running'])
    .execute()
  return new Set(rows.map(({ id }) => id))
}
