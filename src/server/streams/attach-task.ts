import type { Message } from '#shared/messages/messages.ts'
import { endsStream } from '#shared/runs/events.ts'
import type { RunView } from '#shared/runs/view.ts'
import { epochOf, type Frame, firstId, formatWire, frameOf } from '../events/events.ts'
import {
  type Begun,
  findActiveRun,
  type LiveRun,
  liveRunOf,
  loadMessage,
  loadRested,
  type Rested,
  type RunRow,
} from '../runs/runs.ts'
import type { Streams } from './create-streams.ts'
import { follow } from './follow.ts'
import { type CatchUp, readStored, type Wish } from './read-stored.ts'
import { onClosed, type Reader } from './readers.ts'

export type { Wish } from './read-stored.ts'

const whole: Wish = { after: null, chunks: false }

/**
 * Sends a session's reply to a reader: what there is, then what comes, until the run comes to rest. Without a
 * run that goes on it is the latest one of the active branch. A reader never slows a run.
 */
export async function attachTask(
  streams: Streams,
  sessionId: string,
  reader: Reader,
  wish: Wish,
): Promise<void> {
  const { db } = streams.deps
  const isMeant = (id: string) => wish.messageId === undefined || wish.messageId === id
  const live = liveRunOf(streams.engine, sessionId)
  if (live && isMeant(live.input.message_id)) return attachLive(streams, live, reader, wish)
  const active = await findActiveRun(db, sessionId)
  if ((active?.state === 'running' || active?.state === 'queued') && isMeant(active.message_id)) {
    const here = liveRunOf(streams.engine, sessionId)
    if (here) return attachLive(streams, here, reader, wish)
    return attachElsewhere(streams, active, reader, wish)
  }
  await sendRested(streams, await loadRested(db, sessionId, wish.messageId), reader, wish, sessionId)
}

/** Joins a run that has just begun: here, or on whichever process takes it up. */
export async function attachBegun(streams: Streams, run: Begun, reader: Reader): Promise<void> {
  const live = streams.engine.live.get(run.id)
  if (live) return attachLive(streams, live, reader, whole)
  await attachTask(streams, run.sessionId, reader, { ...whole, messageId: run.input.message_id })
}

/** Joins a run of this process: between the snapshot and the first live event nothing can come. */
export async function attachLive(streams: Streams, run: LiveRun, reader: Reader, wish: Wish): Promise<void> {
  const send = createSender(reader)
  if (wish.after === null && !wish.chunks) {
    sendInit(reader, { run, view: run.publisher.view, last: run.publisher.lastId })
    listen(streams, run, reader, send)
    return
  }
  // What is sent meanwhile waits until the stored part is out.
  let held: Frame[] | null = []
  listen(streams, run, reader, (frame) => (held ? held.push(frame) : send(frame)))
  await streams.events.sentFrames.flush().catch(() => undefined)
  const stored = await readStored(streams.deps.db, { id: run.id, epoch: run.holder.epoch }, wish)
  // The whole is what was sent until now, stored or not; a replay ends with what is stored.
  const { view, lastId } = run.publisher
  const replay = stored.replay ?? { view, last: lastId, events: [] }
  sendInit(reader, { run, view: replay.view, last: replay.last })
  const waiting = held
  held = null
  const upTo = replay.events.at(-1)?.id ?? replay.last ?? 0
  for (const { id, event } of replay.events) send(frameOf(id, event))
  // The end closes the stream, also when it is part of the whole already.
  for (const frame of waiting) if (frame.id > upTo || endsStream(frame.event)) send(frame)
}

/**
 * Sends the whole of a session's reply as it is, to start over with; gives the id up to which events are part of it.
 */
export async function sendSnapshot(streams: Streams, sessionId: string, reader: Reader): Promise<number> {
  const live = liveRunOf(streams.engine, sessionId)
  if (live) {
    const { view, lastId } = live.publisher
    sendInit(reader, { run: live, view, last: lastId })
    return lastId
  }
  const active = await findActiveRun(streams.deps.db, sessionId)
  const isElsewhere = active?.state === 'running' || active?.state === 'queued'
  const rested = isElsewhere ? null : await loadRested(streams.deps.db, sessionId)
  const row = isElsewhere ? active : rested?.row
  if (!row) {
    sendInit(reader, { run: { id: '', sessionId, userMessage: null, attempt: 1 }, view: null, last: null })
    return 0
  }
  const stored = await readStored(streams.deps.db, row, whole)
  // The end is committed before its events are stored: whatever is stored of it later is part of the whole.
  const last = rested && !stored.isEnded ? firstId(row.epoch + 1) : (stored.newest ?? firstId(row.epoch))
  const userMessage = await loadMessage(streams.deps.db, row.user_message_id)
  const run: Origin = { id: row.id, sessionId, userMessage, attempt: row.attempt }
  sendInit(reader, { run, view: rested?.view ?? streaming(stored.view), last })
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
function listen(streams: Streams, run: LiveRun, reader: Reader, listener: (frame: Frame) => void): void {
  const leave = streams.events.channels.join(run.sessionId, listener)
  const lookElsewhere = () => {
    leave()
    const wish = { ...whole, messageId: run.input.message_id }
    attachTask(streams, run.sessionId, reader, wish).catch(() => reader.close())
  }
  run.onLeft.add(lookElsewhere)
  onClosed(reader.closed, () => {
    leave()
    run.onLeft.delete(lookElsewhere)
  })
}

/** Follows a run of another process: what it has stored, then what it sends. */
async function attachElsewhere(streams: Streams, row: RunRow, reader: Reader, wish: Wish): Promise<void> {
  const run: Origin = {
    ...{ id: row.id, sessionId: row.session_id, attempt: row.attempt },
    userMessage: await loadMessage(streams.deps.db, row.user_message_id),
  }
  const stored = await readStored(streams.deps.db, row, wish)
  // Until a run has said anything there is its message.
  const view =
    stored.view ?? (await loadRested(streams.deps.db, row.session_id, row.message_id))?.view ?? null
  const replay: CatchUp = stored.replay ?? { view, last: stored.newest, events: [] }
  sendInit(reader, { run, view: streaming(replay.view), last: replay.last })
  // Nobody has taken a queued run up: whatever is stored of it was before its answer. One that begins keeps its epoch.
  const isLaterAttempt = row.state === 'queued' && row.attempt > 0
  const send = createSender(reader, isLaterAttempt ? row.epoch + 1 : row.epoch)
  for (const { id, event } of replay.events) send(frameOf(id, event))
  const after = stored.newest ?? firstId(row.epoch)
  const leave = follow(
    streams,
    { sessionId: row.session_id, runId: row.id, after },
    {
      event: send,
      // It ended without storing its last events: its process died right after the end was committed.
      rested: () => void endElsewhere(streams, row, reader).catch(() => reader.close()),
      delayed: () => sendDelayed(streams, row, reader),
    },
  )
  onClosed(reader.closed, leave)
}

/** That nobody works on it for now; whatever comes next says the contrary. */
function sendDelayed({ deps }: Streams, { id: run_id, attempt }: RunRow, reader: Reader): void {
  const timestamp = deps.clock.now().toISOString()
  const data = { run_id, step_key: null, attempt, reason: 'no_worker', timestamp }
  reader.write(formatWire('agent_delayed', null, JSON.stringify(data)))
}

/** Whatever it rested with before, it is being written again. */
function streaming(view: RunView | null): RunView | null {
  return view && { ...view, status: 'streaming' }
}

async function endElsewhere(streams: Streams, row: RunRow, reader: Reader): Promise<void> {
  const rested = await loadRested(streams.deps.db, row.session_id, row.message_id)
  await sendRested(streams, rested, reader, whole, row.session_id)
}

/** A reply that nobody writes any more: the whole of it, its last event, the end of the stream. */
async function sendRested(
  streams: Streams,
  rested: Rested | null,
  reader: Reader,
  wish: Wish,
  sessionId: string,
): Promise<void> {
  if (!rested) {
    sendInit(reader, { run: { id: '', sessionId, userMessage: null, attempt: 1 }, view: null, last: null })
    return reader.close()
  }
  if (wish.chunks || wish.after !== null) await streams.events.sentFrames.flush().catch(() => undefined)
  const { row, view, last, userMessage } = rested
  const run: Origin = { id: row.id, sessionId, userMessage, attempt: row.attempt }
  const stored = await readStored(streams.deps.db, row, wish)
  // The end is committed before its events are stored: until then, and once they are old, there is the whole.
  const replay = (stored.isEnded && stored.replay) || { view, last: stored.newest, events: [] }
  sendInit(reader, { run, ...replay })
  for (const { id, event } of replay.events) reader.write(frameOf(id, event).text)
  const isEnded = replay.events.some(({ event }) => endsStream(event))
  if (last && !isEnded) {
    const newest = Math.max(stored.newest ?? 0, firstId(row.epoch))
    // When its own id was never stored, it is any above all that were.
    reader.write(frameOf(stored.isEnded ? newest : newest + 1, last).text)
  }
  reader.close()
}
