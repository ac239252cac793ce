import type { Entry } from './event-entry.ts'

/** Maximum number of lines. The oldest are dropped. */
const MOST_ENTRIES = 5000
/** Render interval. Events arrive hundreds of times a second, faster than anyone can read. */
const FLUSH_MS = 50

/** Bounded log of a connection's events. Notifies its listeners at most every 50 ms. */
export class EventLog {
  private entries: Entry[] = []
  private shown: readonly Entry[] = []
  private timer: ReturnType<typeof setTimeout> | null = null
  private readonly listeners = new Set<() => void>()

  add(entry: Entry): void {
    this.entries.push(entry)
    if (this.entries.length > MOST_ENTRIES * 1.1) this.entries = this.entries.slice(-MOST_ENTRIES)
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  clear(): void {
    this.entries = []
    this.flush()
  }

  readonly read = (): readonly Entry[] => this.shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.shown = this.entries.slice(-MOST_ENTRIES)
    for (const listener of this.listeners) listener()
  }
}
