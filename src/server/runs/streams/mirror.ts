import { endsStream } from '#shared/runs/runs/events.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { type Beginning, epochOf, type Frame, firstId, frameOf } from '../events/events.ts'
import { loadMessage, loadRested, type RunRow } from '../runs/runs.ts'
import { encodeBeginning, sendBeginning, sendDelayed, streaming } from './begin.ts'
import type { Mirror, Streams } from './create-streams.ts'
import { follow } from './follow.ts'
import { loadTape, needsEvents, readStored } from './read-stored.ts'
import { onClosed, type Reader } from './readers.ts'
import type { CatchUp, Tape, Wish } from './tape.ts'

/** Events retained per run for reconnecting readers: some seconds of a fast reply. */
const KEPT_EVENTS = 200

/** Ends the stream of a run whose process died after committing the end but before storing its last events. */
type EndElsewhere = (reader: Reader) => void

/** Returns the mirror of a remote run. Concurrent callers share one that is being created. */
export function mirrorOf(streams: Streams, row: RunRow, endElsewhere: EndElsewhere): Promise<Mirror> {
  const { mirrors } = streams
  const known = mirrors.get(row.id)
  if (known) return known
  const forget = () => void (mirrors.get(row.id) === made && mirrors.delete(row.id))
  const made = createMirror(streams, row, { endElsewhere, forget })
  mirrors.set(row.id, made)
  made.catch(forget)
  return made
}

type State = {
  row: RunRow
  /** Current epoch; ends of earlier epochs are ignored. */
  epoch: number
  userMessage: Message | null
  tape: Tape
  /** The view before the first event: only the message. */
  unsaid: RunView | null
  readers: Set<Reader>
  attempt: number
  isDelayed: boolean
  isOver: boolean
  /** Cached first event for new readers until the next event arrives. */
  whole: Beginning | null
}

type Ways = { endElsewhere: EndElsewhere; forget: () => void }

async function createMirror(streams: Streams, row: RunRow, { endElsewhere, forget }: Ways): Promise<Mirror> {
  const state = await load(streams, row)
  const { tape, readers } = state
  const end = () => {
    state.isOver = true
    leave()
    forget()
  }
  const leave = follow(
    streams,
    { sessionId: row.session_id, runId: row.id, after: tape.newest ?? firstId(row.epoch) },
    {
      event: (frame) => {
        const isEnd = endsStream(frame.event) && epochOf(frame.id) >= state.epoch
        if (isEnd) end()
        hear(state, frame, isEnd)
      },
      rested: () => {
        end()
        for (const reader of readers) endElsewhere(reader)
      },
      delayed: () => {
        state.isDelayed = true
        for (const reader of readers) tellDelayed(streams, state, reader)
      },
    },
  )
  // The run came to rest between the lookup and the read.
  if (tape.isEnded) end()
  const attach = async (reader: Reader, wish: Wish) => {
    const replay = await replayFor(streams, state, wish)
    if (state.isOver) return false
    begin(streams, state, reader, replay)
    return true
  }
  return {
    attach: async (reader, wish) => {
      try {
        return await attach(reader, wish)
      } finally {
        const leaveLast = () => {
          readers.delete(reader)
          if (readers.size === 0 && !state.isOver) end()
        }
        if (readers.has(reader)) onClosed(reader.closed, leaveLast)
        else leaveLast()
      }
    },
  }
}

async function load({ deps: { db } }: Streams, row: RunRow): Promise<State> {
  // A queued run after its first attempt: its stored events precede the answer. A new run keeps its epoch.
  const isLaterAttempt = row.state === 'queued' && row.attempt > 0
  const epoch = isLaterAttempt ? row.epoch + 1 : row.epoch
  const tape = await loadTape(db, { id: row.id, epoch }, KEPT_EVENTS)
  const rested = tape.view ? null : await loadRested(db, row.session_id, row.message_id)
  const userMessage = await loadMessage(db, row.user_message_id)
  return {
    ...{ row, epoch, userMessage, tape, unsaid: rested?.view ?? null, readers: new Set() },
    ...{ attempt: row.attempt, isDelayed: false, isOver: false, whole: null },
  }
}

function hear(state: State, frame: Frame, isEnd: boolean): void {
  state.tape.add(frame)
  state.attempt = frame.event.attempt
  state.isDelayed = false
  state.whole = null
  if (!isEnd && endsStream(frame.event)) return
  for (const reader of state.readers) {
    reader.write(frame.text)
    if (isEnd) reader.close()
  }
}

/** Returns the events to replay to a reader, or null when it gets a snapshot. */
async function replayFor(
  { deps: { db } }: Streams,
  { row, epoch, tape }: State,
  wish: Wish,
): Promise<CatchUp | null> {
  const known = tape.catchUp(wish)
  if (known || !needsEvents(wish)) return known
  const { replay, newest } = await readStored(db, { id: row.id, epoch }, wish)
  // Events that arrived in the meantime are on the tape.
  const since = replay && tape.since(newest ?? 0)
  return since && { ...replay, events: [...replay.events, ...since] }
}

function begin(streams: Streams, state: State, reader: Reader, replay: CatchUp | null): void {
  const { row, userMessage, attempt, tape, unsaid } = state
  const origin = { id: row.id, sessionId: row.session_id, userMessage, attempt }
  const encode = ({ view, last }: Omit<CatchUp, 'events'>) =>
    encodeBeginning(origin, { view: streaming(view), last })
  if (replay) {
    sendBeginning(reader, encode(replay))
    for (const { id, event } of replay.events) reader.write(frameOf(id, event).text)
  } else {
    state.whole ??= encode({ view: tape.view ?? unsaid, last: tape.newest })
    sendBeginning(reader, state.whole)
  }
  if (state.isDelayed) tellDelayed(streams, state, reader)
  state.readers.add(reader)
}

function tellDelayed(streams: Streams, { row: { id }, attempt }: State, reader: Reader): void {
  sendDelayed(streams, reader, { id, attempt })
}
