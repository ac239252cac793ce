import { terminalEvents } from '#shared/runs/runs/events.ts'
import type { Frame } from '../events/events.ts'
import { epochOf, firstId } from '../events/events.ts'

/** Frames from two sources in one order: each once, none left out. */
export type Sequence = {
  /** The id of the last frame that was given. */
  readonly after: number
  /** A frame that came live; one that has a gap before it waits. Answers whether it could be given. */
  live: (frame: Frame) => boolean
  /** Frames as they are stored, oldest first: whatever comes before them is stored too. */
  stored: (frames: Frame[]) => void
}

/** Frames that may wait for those before them; more come from the store in time. */
const MAX_HELD = 2_000

/** Ids of an epoch have no gaps, so a frame is the next one or shows that something is missing. */
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
    // What a lost attempt had sent is void; any other beginning follows an end.
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
