import { useSyncExternalStore } from 'react'
import type { RunView } from '#shared/runs/runs/view.ts'

/** Interval of updates, because the cost of rendering is per flush, not per token. */
export const FLUSH_MS = 50

type Live = { latest: RunView | null; shown: RunView | null; listeners: Set<() => void> }

const lives = new Map<string, Live>()
const dirty = new Set<Live>()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * The views of live messages, outside React and outside the store. Tokens rerender only the component of their message, at
 * most every 50 ms. Uses a timer instead of animation frames, so that it also runs in a hidden tab.
 */
export const liveViews = {
  /** Sets the newest view of a message, shown with the next flush; `null` while nothing is known. */
  set(key: string, view: RunView | null): void {
    const live = open(key)
    live.latest = view
    dirty.add(live)
    timer ??= setTimeout(flush, FLUSH_MS)
  },
  /** Returns the newest view, shown or not. */
  latest: (key: string): RunView | null => lives.get(key)?.latest ?? null,
  /** Shows the newest views immediately. */
  flush,
  /** Removes a finished message. */
  close(key: string): void {
    const live = lives.get(key)
    if (!live) return
    dirty.delete(live)
    live.latest = null
    live.shown = null
    for (const listener of live.listeners) listener()
    if (live.listeners.size === 0) lives.delete(key)
  },
}

/** Returns the view of a live message, otherwise null. */
export function useLiveView(key: string): RunView | null {
  return useSyncExternalStore(
    (listener) => subscribe(key, listener),
    () => lives.get(key)?.shown ?? null,
  )
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  const flushed = [...dirty]
  dirty.clear()
  for (const live of flushed) {
    if (live.shown === live.latest) continue
    live.shown = live.latest
    for (const listener of live.listeners) listener()
  }
}

function subscribe(key: string, listener: () => void): () => void {
  const live = open(key)
  live.listeners.add(listener)
  return () => {
    live.listeners.delete(listener)
    if (live.listeners.size === 0 && live.latest === null) lives.delete(key)
  }
}

function open(key: string): Live {
  const known = lives.get(key)
  if (known) return known
  const live: Live = { latest: null, shown: null, listeners: new Set() }
  lives.set(key, live)
  return live
}
