import { terminalEvents } from '#shared/runs/runs/events.ts'
import type { Frame } from '../events/events.ts'
import { epochOf, firstId } from '../events/events.ts'

/** Merges frames from two sources into one order, each once and without gaps. */
export type Sequence = {
  /** The id of the last delivered frame. */
  readonly after: number
  /** Accepts a live frame. A frame after a gap is held back. Returns whether it could be delivered. */
  live: (frame: Frame) => boolean
  /** Accepts stored frames, oldest first. All frames before them are stored as well. */
  stored: (frames: Frame[]) => void
}

/** Maximum frames held back for a gap. The store supplies the rest. */
const MAX_HELD = 2_000

/** Creates a sequence. Ids of an epoch have no gaps, so every frame is either next or reveals a gap. */
export function createSequence(start: number, give: (frame: Frame) => void): Sequence {
  const held = new Map<number, Frame>()
  let after = start
  let isAtRest = false

  const take = (frame: Frame) => {
    after = frame.id
    isAtRest = terminalEvents.has(frame.event.event)
    give(frame)
  }
  const isNext = ({ id, event }: Frame) => {
    if (id === after + 1) return true
    // Frames of a lost attempt are void. Any other new start follows an end.
    const isFirst = id > after && id === firstId(epochOf(id)) + 1
    return isFirst && (isAtRest || event.event === 'task_stream_init')
  }
  const takeHeld = () => {
    for (const frame of [...held.values()].sort((one, other) => one.id - other.id)) {
      if (isNext(frame)) take(frame)
    }
    for (const id of held.keys()) if (id <= after) held.delete(id)
  }
  return {
    get after() {
      return after
    },
    live: (frame) => {
      if (frame.id <= after) return false
      if (isNext(frame)) {
        take(frame)
        if (held.size > 0) takeHeld()
        return true
      }
      held.set(frame.id, frame)
      if (held.size > MAX_HELD) held.delete(Math.min(...held.keys()))
      return false
    },
    stored: (frames) => {
      for (const frame of frames) if (frame.id > after) take(frame)
      if (held.size > 0) takeHeld()
    },
  }
}
