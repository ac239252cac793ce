import { type Spoken, type SubtitleSegment, spokenAt } from './subtitles.ts'

/** A changing value with its subscribers. */
export type Changing<Value> = { read: () => Value; subscribe: (onChange: () => void) => () => void }
export type Playhead = Changing<number> & { move: (seconds: number) => void }

/** Creates a playhead in seconds. It notifies subscribers on every frame, without rendering in React. */
export function createPlayhead(): Playhead {
  const listeners = new Set<() => void>()
  let now = 0
  return {
    read: () => now,
    move(seconds) {
      if (seconds === now) return
      now = seconds
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => watch(listeners, listener),
  }
}

/** Returns the segment and word at the playhead; notifies subscribers only when they change. */
export function createSpoken(
  playhead: Playhead,
  segments: readonly SubtitleSegment[],
): Changing<Spoken | null> {
  const listeners = new Set<() => void>()
  let spoken = spokenAt(segments, playhead.read())
  let stop = () => {}
  const update = () => {
    const next = spokenAt(segments, playhead.read())
    if (next?.segment === spoken?.segment && next?.word === spoken?.word) return
    spoken = next
    for (const listener of listeners) listener()
  }
  return {
    read: () => spoken,
    subscribe(listener) {
      if (listeners.size === 0) stop = playhead.subscribe(update)
      const leave = watch(listeners, listener)
      update()
      return () => {
        leave()
        if (listeners.size === 0) stop()
      }
    },
  }
}

function watch(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
