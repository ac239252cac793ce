import type { UserEvent } from '#shared/api/user-events/user-events.ts'
import type { Platform } from '../../platform/platform.ts'
import { formatWire } from '../../runs/events/events.ts'
import { onClosed, type Reader } from '../../runs/streams/streams.ts'
import { EVENTS_AT_ONCE, loadUserEvents, type StoredUserEvent } from './store.ts'

/** The readers of user events on this process. */
export type Feeds = {
  /** Sends a user's events above an id to a reader: stored ones, then new ones. */
  join: (userId: string, reader: Reader, after: number) => void
  /** Signals new events for one user. */
  ring: (userId: string) => void
  /** Signals possible new events for any user. */
  ringAll: () => void
  /** Sends an unstored event to one user or all. A reader that misses it gets the state with the user. */
  say: (userId: string | null, event: UserEvent['event']) => void
}

/** Poll interval for notifications that got lost, in milliseconds. */
const LOOK_MS = 10_000

type Place = { reader: Reader; after: number }

/** Creates the feeds. One query reads all due users; those signalled meanwhile are read next. */
export function createFeeds({ db, log }: Pick<Platform, 'db' | 'log'>): Feeds {
  const people = new Map<string, Set<Place>>()
  const due = new Set<string>()
  let isReading = false
  let timer: NodeJS.Timeout | null = null

  const ring = (userId: string) => {
    if (!people.has(userId)) return
    due.add(userId)
    if (isReading) return
    isReading = true
    setImmediate(() => void readOn())
  }
  const ringAll = () => {
    for (const userId of people.keys()) ring(userId)
  }
  async function readOn(): Promise<void> {
    try {
      while (due.size > 0) await readOnce()
    } catch (error) {
      log.warn({ error }, 'What was told to people could not be read yet.')
    } finally {
      isReading = false
    }
  }
  async function readOnce(): Promise<void> {
    const bounds = new Map<string, number>()
    for (const userId of due) {
      const places = people.get(userId)
      if (places) bounds.set(userId, Math.min(...[...places].map(({ after }) => after)))
    }
    due.clear()
    const told = Map.groupBy(await loadUserEvents(db, bounds), ({ user_id }) => user_id)
    for (const [userId, events] of told) {
      send(people.get(userId) ?? new Set(), events)
      if (events.length === EVENTS_AT_ONCE) due.add(userId)
    }
  }
  return {
    ring,
    ringAll,
    say: (userId, event) => {
      const text = formatWire(event, null, '{}')
      const told = userId === null ? [...people.values()] : [people.get(userId) ?? []]
      for (const places of told) for (const { reader } of places) reader.write(text)
    },
    join: (userId, reader, after) => {
      const places = people.get(userId) ?? new Set()
      const place = { reader, after }
      people.set(userId, places.add(place))
      timer ??= setInterval(ringAll, LOOK_MS).unref()
      onClosed(reader.closed, () => {
        places.delete(place)
        if (places.size === 0 && people.get(userId) === places) people.delete(userId)
        if (people.size > 0 || !timer) return
        clearInterval(timer)
        timer = null
      })
      ring(userId)
    },
  }
}

/** Sends events to readers and serialises each event once. */
function send(places: Set<Place>, events: StoredUserEvent[]): void {
  for (const { id, kind, data } of events) {
    const text = formatWire(kind, String(id), JSON.stringify(data))
    for (const place of places) {
      if (place.after >= id) continue
      place.after = id
      place.reader.write(text)
    }
  }
}
