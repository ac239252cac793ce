import type { Kysely } from 'kysely'
import { endsStream } from '#shared/runs/events.ts'
import { applyEvent, foldEvents } from '#shared/runs/reduce.ts'
import type { RunView } from '#shared/runs/view.ts'
import type { Tables } from '../db/tables.ts'
import { epochOf, readEvents, type StoredEvent } from '../events/events.ts'

export type Wish = {
  /** The last id the reader has, or null. */
  after: number | null
  /** Wants the events themselves instead of what they fold to. */
  chunks: boolean
  /** The reply it is about; without it the one that is being written, else the latest of the active branch. */
  messageId?: string | undefined
}

/** What a run has stored of what it sent, and what of it a reader with a wish still needs. */
export type Stored = {
  /** All of it folded; null when nothing is stored. */
  view: RunView | null
  /** The newest id. */
  newest: number | null
  /** Whether the event is stored that brought it to rest in its present epoch. */
  isEnded: boolean
  /** What to send the reader, or null when it gets the whole. */
  replay: CatchUp | null
}

/** A beginning and the events that follow it. */
export type CatchUp = { view: RunView | null; last: number | null; events: StoredEvent[] }

/** More than this many events are not sent again: the whole says the same. */
const MAX_REPLAYED = 50_000

/**
 * Reads what is stored of a run. Events before the last `task_stream_init` belong to attempts that may have been
 * lost, so a replay begins there. An id of an older epoch, or one nobody has stored, gets no replay.
 */
export async function readStored(
  db: Kysely<Tables>,
  run: { id: string; epoch: number },
  { after, chunks }: Wish,
): Promise<Stored> {
  const isOfEpoch = after !== null && epochOf(after) === run.epoch
  let view: RunView | null = null
  let newest: number | null = null
  let isEnded = false
  let begin: { view: RunView | null; id: number | null } = { view: null, id: null }
  let since: StoredEvent[] = []
  let isTooMuch = false
  for await (const page of readEvents(db, { runId: run.id, after: 0 })) {
    for (const stored of page) {
      const { id, event } = stored
      newest = id
      view = applyEvent(view, event)
      isEnded ||= epochOf(id) === run.epoch && endsStream(event)
      if (event.event === 'task_stream_init') {
        begin = { view: event.view, id }
        since = []
        isTooMuch = false
      } else if (isOfEpoch && id <= after) {
        begin.view = foldEvents(begin.view, [event])
      } else if (!isTooMuch && (isOfEpoch || chunks)) {
        isTooMuch = since.push(stored) > MAX_REPLAYED
      }
    }
  }
  const isKnown = isOfEpoch && after >= (begin.id ?? 0) && after <= (newest ?? 0)
  const isWanted = isKnown || (chunks && !isOfEpoch && newest !== null)
  const replay =
    isWanted && !isTooMuch ? { view: begin.view, last: isKnown ? after : begin.id, events: since } : null
  return { view, newest, isEnded, replay }
}
