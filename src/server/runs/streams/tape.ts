import { endsStream, type RunEvent } from '#shared/runs/runs/events.ts'
import { applyEvent, foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { epochOf } from '../events/events.ts'

export type Wish = {
  /** The last id the reader has, or null. */
  after: number | null
  /** Wants the events themselves instead of what they fold to. */
  chunks: boolean
  /** The reply it is about; without it the one that is being written, else the latest of the active branch. */
  messageId?: string | undefined
}

type Said = { id: number; event: RunEvent }
/** A beginning and the events that follow it. */
export type CatchUp = { view: RunView | null; last: number | null; events: Said[] }

/** What a run has said: all of it folded, and the newest of its events. */
export type Tape = {
  add: (said: Said) => void
  /** Null when nothing was said. */
  readonly view: RunView | null
  /** The newest id. */
  readonly newest: number | null
  /** Whether it came to rest in its present epoch. */
  readonly isEnded: boolean
  /** What a reader with a wish still needs, or null when it gets the whole. */
  catchUp: (wish: Wish) => CatchUp | null
  /** What was said after an id, or null when that is too long ago. */
  since: (id: number) => Said[] | null
}

/**
 * Keeps at most `keep` events. Those before the last `task_stream_init` belong to attempts that may have been lost, so a
 * replay begins there. An id of an older epoch, or one nobody has sent, gets no replay.
 */
export function createTape(epoch: number, keep: number): Tape {
  let view: RunView | null = null
  let newest: number | null = null
  let isEnded = false
  /** Where the present attempt began; what is kept follows `base`. */
  let begin: { view: RunView | null; id: number | null } = { view: null, id: null }
  let base = begin
  let kept: Said[] = []

  const forget = (count: number) => {
    const gone = kept.slice(0, count)
    base = {
      view: foldEvents(
        base.view,
        gone.map(({ event }) => event),
      ),
      id: gone.at(-1)?.id ?? base.id,
    }
    kept = kept.slice(count)
  }
  const isKnown = (id: number) => id >= (base.id ?? 0) && id <= (newest ?? 0)
  const isOfEpoch = (id: number | null): id is number =>
    id !== null && epochOf(id) === Math.max(epoch, epochOf(newest ?? 0))
  return {
    add: ({ id, event }) => {
      newest = id
      view = applyEvent(view, event)
      isEnded ||= epochOf(id) >= epoch && endsStream(event)
      if (event.event === 'task_stream_init') {
        begin = { view: event.view, id }
        base = begin
        kept = []
        return
      }
      if (keep === 0) {
        base = { view, id }
        return
      }
      kept.push({ id, event })
      // In large pieces: each costs a copy of what stays.
      if (kept.length > 2 * keep) forget(kept.length - keep)
    },
    get view() {
      return view
    },
    get newest() {
      return newest
    },
    get isEnded() {
      return isEnded
    },
    catchUp: ({ after, chunks }) => {
      if (isOfEpoch(after)) {
        if (!isKnown(after)) return null
        const before = kept.filter(({ id }) => id <= after).map(({ event }) => event)
        return { view: foldEvents(base.view, before), last: after, events: kept.slice(before.length) }
      }
      const isWhole = base === begin
      if (!chunks || newest === null || !isWhole) return null
      return { ...begin, last: begin.id, events: kept }
    },
    since: (id) => (isKnown(id) ? kept.filter((said) => said.id > id) : null),
  }
}
