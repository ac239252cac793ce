import { endsStream, type RunEvent } from '#shared/runs/runs/events.ts'
import { applyEvent, foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import { epochOf } from '../events/events.ts'

export type Wish = {
  /** The last id the reader has received, or null. */
  after: number | null
  /** True to get the events instead of their fold. */
  chunks: boolean
  /** The reply to read. Default: the one being written, else the latest of the active branch. */
  messageId?: string | undefined
}

type Said = { id: number; event: RunEvent }
/** A start view and the events that follow it. */
export type CatchUp = { view: RunView | null; last: number | null; events: Said[] }

/** The events of a run: the fold of all of them, and the newest ones. */
export type Tape = {
  add: (said: Said) => void
  /** The folded view, or null when there are no events. */
  readonly view: RunView | null
  readonly newest: number | null
  /** Whether the run came to rest in its current epoch. */
  readonly isEnded: boolean
  /** Returns what a reader still needs, or null when it gets a snapshot. */
  catchUp: (wish: Wish) => CatchUp | null
  /** Returns the events after an id, or null when they are no longer retained. */
  since: (id: number) => Said[] | null
}

/**
 * Creates a tape that retains at most `keep` events. Events before the last `task_stream_init` may belong to lost attempts, so a
 * replay starts there. Ids of an older epoch and unknown ids get no replay.
 */
export function createTape(epoch: number, keep: number): Tape {
  let view: RunView | null = null
  let newest: number | null = null
  let isEnded = false
  /** The start of the current attempt; retained events follow `base`. */
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
      // Trims in large steps, because each one copies the remaining events.
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
