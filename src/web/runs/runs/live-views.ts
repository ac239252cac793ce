import { useSyncExternalStore } from 'react'
import type { RunView } from '#shared/runs/runs/view.ts'

/** How often what arrived is shown: the cost of drawing is per flush, not per token. */
export const FLUSH_MS = 50

type Live = { latest: RunView | null; shown: RunView | null; listeners: Set<() => void> }

const lives = new Map<string, Live>()
const dirty = new Set<Live>()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * The views of messages that are being written, outside React and outside the store: tokens wake only the
 * component that shows their message, at most every 50 ms. A timer, no animation frame: it also runs in
 * a hidden tab.
 */
export const liveViews = {
  /** The newest view of a message, shown with the next flush; `null` while nothing is known. */
  set(key: string, view: RunView | null): void {
    const live = open(key)
    live.latest = view
    dirty.add(live)
    timer ??= setTimeout(flush, FLUSH_MS)
  },
  /** What has arrived, whether it is shown yet or not. */
  latest: (key: string): RunView | null => lives.get(key)?.latest ?? null,
  /** Shows what has arrived at once. */
  flush,
  /** Forgets a message that is finished. */
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

/** The view of one message while it is written, else null. */
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
