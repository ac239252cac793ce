import { endsStream } from '#shared/runs/runs/events.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { type Frame, firstId, frameOf } from '../events/events.ts'
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
import { encodeBeginning, type Origin, sendBeginning, streaming } from './begin.ts'
import type { Streams } from './create-streams.ts'
import { mirrorOf } from './mirror.ts'
import { readStored } from './read-stored.ts'
import { onClosed, type Reader } from './readers.ts'
import type { Wish } from './tape.ts'

export type { Wish } from './tape.ts'

const whole: Wish = { after: null, chunks: false }

/**
 * Streams a session's reply: a snapshot, then live events until the run comes to rest. Without an active run it sends
 * the latest one of the active branch. A slow reader never slows the run.
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

/** Joins a run that has just started, on this process or the one that executes it. */
export async function attachBegun(streams: Streams, run: Begun, reader: Reader): Promise<void> {
  const live = streams.engine.live.get(run.id)
  if (live) return attachLive(streams, live, reader, whole)
  await attachTask(streams, run.sessionId, reader, { ...whole, messageId: run.input.message_id })
}

/** Joins a run of this process. No event can occur between the snapshot and the first live event. */
export async function attachLive(streams: Streams, run: LiveRun, reader: Reader, wish: Wish): Promise<void> {
  const send = createSender(reader)
  if (wish.after === null && !wish.chunks) {
    sendInit(reader, { run, view: run.publisher.presented, last: run.publisher.lastId })
    listen(streams, run, reader, send)
    return
  }
  // Buffers live events until the stored ones are sent.
  let held: Frame[] | null = []
  listen(streams, run, reader, (frame) => (held ? held.push(frame) : send(frame)))
  await streams.events.sentFrames.flush().catch(() => undefined)
  const stored = await readStored(streams.deps.db, { id: run.id, epoch: run.holder.epoch }, wish)
  // The snapshot covers everything sent so far; a replay covers only what is stored.
  const { presented: view, lastId } = run.publisher
  const replay = stored.replay ?? { view, last: lastId, events: [] }
  sendInit(reader, { run, view: replay.view, last: replay.last })
  const waiting = held
  held = null
  const upTo = replay.events.at(-1)?.id ?? replay.last ?? 0
  for (const { id, event } of replay.events) send(frameOf(id, event))
  // The final event closes the stream even when the snapshot already contains it.
  for (const frame of waiting) if (frame.id > upTo || endsStream(frame.event)) send(frame)
}

/**
 * Sends a snapshot of the session's reply. Returns the id of the last event it includes.
 */
export async function sendSnapshot(streams: Streams, sessionId: string, reader: Reader): Promise<number> {
  const live = liveRunOf(streams.engine, sessionId)
  if (live) {
    const { presented: view, lastId } = live.publisher
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
  // The end commits before its events are stored, so the snapshot includes events stored later.
  const last = rested && !stored.isEnded ? firstId(row.epoch + 1) : (stored.newest ?? firstId(row.epoch))
  const userMessage = await loadMessage(streams.deps.db, row.user_message_id)
  const run: Origin = { id: row.id, sessionId, userMessage, attempt: row.attempt }
  sendInit(reader, { run, view: rested?.view ?? streaming(stored.view), last })
  return last
}

function sendInit(
  reader: Reader,
  { run, ...whole }: { run: Origin; view: RunView | null; last: number | null },
): void {
  sendBeginning(reader, encodeBeginning(run, whole))
}

/** Writes frames and closes the stream after the one that brings the run to rest. */
function createSender(reader: Reader): (frame: Frame) => void {
  return ({ event, text }) => {
    reader.write(text)
    if (endsStream(event)) reader.close()
  }
}

/** Follows a run until the reader leaves. When this process loses the run, the reader reattaches elsewhere. */
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

/** Follows a run of another process through the mirror shared by all local readers. */
async function attachElsewhere(streams: Streams, row: RunRow, reader: Reader, wish: Wish): Promise<void> {
  const rested = (one: Reader) => void endElsewhere(streams, row, one).catch(() => one.close())
  const mirror = await mirrorOf(streams, row, rested)
  if (await mirror.attach(reader, wish)) return
  await attachTask(streams, row.session_id, reader, { ...wish, messageId: row.message_id })
}

async function endElsewhere(streams: Streams, row: RunRow, reader: Reader): Promise<void> {
  const rested = await loadRested(streams.deps.db, row.session_id, row.message_id)
  await sendRested(streams, rested, reader, whole, row.session_id)
}

/** Sends a reply at rest: snapshot or replay, its last event, end of stream. */
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
  // The end commits before its events are stored: without stored events, send the snapshot.
  const replay = (stored.isEnded && stored.replay) || { view, last: stored.newest, events: [] }
  sendInit(reader, { run, ...replay })
  for (const { id, event } of replay.events) reader.write(frameOf(id, event).text)
  const isEnded = replay.events.some(({ event }) => endsStream(event))
  if (last && !isEnded) {
    const newest = Math.max(stored.newest ?? 0, firstId(row.epoch))
    // An end event that was never stored gets the next free id.
    reader.write(frameOf(stored.isEnded ? newest : newest + 1, last).text)
  }
  reader.close()
}
