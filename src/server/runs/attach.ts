import type { Message } from '#shared/messages/messages.ts'
import { endsStream } from '#shared/runs/events.ts'
import { foldEvents } from '#shared/runs/reduce.ts'
import type { RunView } from '#shared/runs/view.ts'
import type { Frame } from './channels.ts'
import type { Engine } from './engine.ts'
import { liveRunOf } from './engine.ts'
import { follow } from './follow.ts'
import { epochOf, firstId, frameOf } from './frames.ts'
import type { LiveRun } from './live-run.ts'
import { onClosed, type Reader } from './reader.ts'
import { loadMessage } from './reply.ts'
import { loadRested, type Rested } from './rested.ts'
import { findActiveRun, loadEvents, type RunRow, type StoredEvent } from './store.ts'

export type Wish = {
  /** The last id the reader has, or null. */
  after: number | null
  /** Wants the events themselves instead of what they fold to. */
  chunks: boolean
  /** The reply it is about; without it the one that is being written, else the latest of the active branch. */
  messageId?: string | undefined
}

const whole: Wish = { after: null, chunks: false }

/**
 * Sends a session's reply to a reader: what there is, then what comes, until the run comes to rest. Without a
 * run that goes on it is the latest one of the active branch. A reader never slows a run.
 */
export async function attachTask(
  engine: Engine,
  sessionId: string,
  reader: Reader,
  wish: Wish,
): Promise<void> {
  const { db } = engine.deps
  const isMeant = (id: string) => wish.messageId === undefined || wish.messageId === id
  const live = liveRunOf(engine, sessionId)
  if (live && isMeant(live.input.message_id)) return attachLive(engine, live, reader, wish)
  const active = await findActiveRun(db, sessionId)
  if ((active?.state === 'running' || active?.state === 'queued') && isMeant(active.message_id)) {
    const here = liveRunOf(engine, sessionId)
    if (here) return attachLive(engine, here, reader, wish)
    return attachElsewhere(engine, active, reader, wish)
  }
  await sendRested(engine, await loadRested(db, sessionId, wish.messageId), reader, wish, sessionId)
}

/** Joins a run of this process: between the snapshot and the first live event nothing can come. */
export async function attachLive(engine: Engine, run: LiveRun, reader: Reader, wish: Wish): Promise<void> {
  const send = createSender(reader)
  if (wish.after === null && !wish.chunks) {
    sendInit(reader, { run, view: run.publisher.view, last: run.publisher.lastId })
    listen(engine, run, reader, send)
    return
  }
  // What is sent meanwhile waits until the stored part is out.
  let held: Frame[] | null = []
  listen(engine, run, reader, (frame) => (held ? held.push(frame) : send(frame)))
  await engine.outbox.flush().catch(() => undefined)
  const stored = await loadRunEvents(engine, run)
  const replay = planReplay(stored, run.publisher.view, wish, run.holder.epoch)
  sendInit(reader, { run, view: replay.view, last: replay.last })
  const waiting = held
  held = null
  const upTo = replay.events.at(-1)?.id ?? replay.last ?? 0
  for (const { id, event } of replay.events) send(frameOf(id, event))
  for (const frame of waiting) if (frame.id > upTo) send(frame)
}

/**
 * Sends the whole of a session's reply as it is, to start over with; gives the id up to which events are part of it.
 */
export async function sendSnapshot(engine: Engine, sessionId: string, reader: Reader): Promise<number> {
  const live = liveRunOf(engine, sessionId)
  if (live) {
    const { view, lastId } = live.publisher
    sendInit(reader, { run: live, view, last: lastId })
    return lastId
  }
  const active = await findActiveRun(engine.deps.db, sessionId)
  const isElsewhere = active?.state === 'running' || active?.state === 'queued'
  const rested = isElsewhere ? null : await loadRested(engine.deps.db, sessionId)
  const row = isElsewhere ? active : rested?.row
  if (!row) {
    sendInit(reader, { run: { id: '', sessionId, userMessage: null, attempt: 1 }, view: null, last: null })
    return 0
  }
  const stored = await loadRunEvents(engine, { id: row.id, sessionId })
  const folded = foldEvents(
    null,
    stored.map(({ event }) => event),
  )
  // The end is committed before its events are stored: whatever is stored of it later is part of the whole.
  const last =
    rested && !isWhole(stored, row) ? firstId(row.epoch + 1) : (stored.at(-1)?.id ?? firstId(row.epoch))
  const userMessage = await loadMessage(engine.deps.db, row.user_message_id)
  const run: Origin = { id: row.id, sessionId, userMessage, attempt: row.attempt }
  sendInit(reader, { run, view: rested?.view ?? (folded && { ...folded, status: 'streaming' }), last })
  return last
}

type Origin = { id: string; sessionId: string; userMessage: Message | null; attempt: number }

function sendInit(
  reader: Reader,
  { run, view, last }: { run: Origin; view: RunView | null; last: number | null },
): void {
  const { id: run_id, sessionId: session_id, userMessage: user_message, attempt } = run
  const last_event_id = last === null ? null : String(last)
  const init = { event: 'task_stream_init' as const, run_id, step_key: null, attempt, session_id }
  reader.write(frameOf(0, { ...init, view, user_message, last_event_id }).text)
}

/** Writes frames and closes after the one that brings the run to rest; an earlier rest, before `epoch`, is over. */
function createSender(reader: Reader, epoch = 0): (frame: Frame) => void {
  return ({ id, event, text }) => {
    const isEnd = endsStream(event)
    if (isEnd && epochOf(id) < epoch) return
    reader.write(text)
    if (isEnd) reader.close()
  }
}

/** Hears a run until the reader leaves; when this process loses the run, the reader starts over elsewhere. */
function listen(engine: Engine, run: LiveRun, reader: Reader, listener: (frame: Frame) => void): void {
  const leave = engine.channels.join(run.sessionId, listener)
  const lookElsewhere = () => {
    leave()
    const wish = { ...whole, messageId: run.input.message_id }
    attachTask(engine, run.sessionId, reader, wish).catch(() => reader.close())
  }
  run.onLeft.add(lookElsewhere)
  onClosed(reader.closed, () => {
    leave()
    run.onLeft.delete(lookElsewhere)
  })
}

type Replay = { view: RunView | null; last: number | null; events: StoredEvent[] }

/**
 * What a reader gets of stored events. Those before the last `task_stream_init` belong to attempts that may
 * have been lost, so it begins there. An id of an older epoch, or one nobody has stored, gets the snapshot.
 */
function planReplay(
  stored: StoredEvent[],
  snapshot: RunView,
  { after, chunks }: Wish,
  epoch: number,
): Replay {
  const restart = stored.findLastIndex(({ event }) => event.event === 'task_stream_init')
  const first = stored[restart]
  const base = first?.event.event === 'task_stream_init' ? first.event.view : null
  const events = stored.slice(restart + 1)
  const newest = stored.at(-1)?.id ?? null
  const isKnown =
    after !== null && epochOf(after) === epoch && after >= (first?.id ?? 0) && after <= (newest ?? 0)
  if (isKnown) {
    const seen = events.filter(({ id }) => id <= after)
    const view = foldEvents(
      base,
      seen.map(({ event }) => event),
    )
    return { view, last: after, events: events.slice(seen.length) }
  }
  if (chunks && stored.length > 0) return { view: base, last: first?.id ?? null, events }
  return { view: snapshot, last: newest, events: [] }
}

/** Whether all a run that rests has said is stored. */
function isWhole(stored: StoredEvent[], { epoch }: RunRow): boolean {
  return stored.some(({ id, event }) => epochOf(id) === epoch && endsStream(event))
}

function loadRunEvents(engine: Engine, run: { id: string; sessionId: string }): Promise<StoredEvent[]> {
  return loadEvents(engine.deps.db, { sessionId: run.sessionId, after: 0, runId: run.id })
}

/** Follows a run of another process: what it has stored, then what it sends. */
async function attachElsewhere(engine: Engine, row: RunRow, reader: Reader, wish: Wish): Promise<void> {
  const run: Origin = {
    ...{ id: row.id, sessionId: row.session_id, attempt: row.attempt },
    userMessage: await loadMessage(engine.deps.db, row.user_message_id),
  }
  const stored = await loadRunEvents(engine, run)
  const snapshot = foldEvents(
    null,
    stored.map(({ event }) => event),
  )
  const replay = snapshot
    ? planReplay(stored, snapshot, wish, row.epoch)
    : { view: null, last: null, events: [] }
  const view: RunView | null = replay.view && { ...replay.view, status: 'streaming' }
  sendInit(reader, { run, view, last: replay.last })
  // Nobody has taken a queued run up: whatever is stored of it was before its answer.
  const send = createSender(reader, row.state === 'queued' ? row.epoch + 1 : row.epoch)
  for (const { id, event } of replay.events) send(frameOf(id, event))
  const after = stored.at(-1)?.id ?? 0
  const leave = follow(
    engine,
    { sessionId: row.session_id, runId: row.id, after },
    {
      event: send,
      // It ended without storing its last events: its process died right after the end was committed.
      rested: () => void endElsewhere(engine, row, reader).catch(() => reader.close()),
    },
  )
  onClosed(reader.closed, leave)
}

async function endElsewhere(engine: Engine, row: RunRow, reader: Reader): Promise<void> {
  const rested = await loadRested(engine.deps.db, row.session_id, row.message_id)
  await sendRested(engine, rested, reader, whole, row.session_id)
}

/** A reply that nobody writes any more: the whole of it, its last event, the end of the stream. */
async function sendRested(
  engine: Engine,
  rested: Rested | null,
  reader: Reader,
  wish: Wish,
  sessionId: string,
): Promise<void> {
  if (!rested) {
    sendInit(reader, { run: { id: '', sessionId, userMessage: null, attempt: 1 }, view: null, last: null })
    return reader.close()
  }
  if (wish.chunks || wish.after !== null) await engine.outbox.flush().catch(() => undefined)
  const { row, view, last, userMessage } = rested
  const run: Origin = { id: row.id, sessionId, userMessage, attempt: row.attempt }
  const stored = await loadRunEvents(engine, run)
  // The end is committed before its events are stored: until then, and once they are old, there is the whole.
  const isStored = isWhole(stored, row)
  const replay = planReplay(stored, view, isStored ? wish : whole, row.epoch)
  sendInit(reader, { run, ...replay })
  for (const { id, event } of replay.events) reader.write(frameOf(id, event).text)
  const isEnded = replay.events.some(({ event }) => endsStream(event))
  if (last && !isEnded) {
    const newest = Math.max(stored.at(-1)?.id ?? 0, firstId(row.epoch))
    // When its own id was never stored, it is any above all that were.
    reader.write(frameOf(isStored ? newest : newest + 1, last).text)
  }
  reader.close()
}
