import type { Entry } from './event-entry.ts'

/** More lines than this are more than anybody scrolls through: the oldest go. */
const MOST_ENTRIES = 5000
/** Events come hundreds of times a second; eyes are slower. */
const FLUSH_MS = 50

/** The events of a connection, bounded, told to the screen at most every 50 ms. */
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
