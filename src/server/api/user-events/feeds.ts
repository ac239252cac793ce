import type { UserEvent } from '#shared/api/user-events/user-events.ts'
import type { Platform } from '../../platform/platform.ts'
import { formatWire } from '../../runs/events/events.ts'
import { onClosed, type Reader } from '../../runs/streams/streams.ts'
import { EVENTS_AT_ONCE, loadUserEvents, type StoredUserEvent } from './store.ts'

/** The readers of what is told to people, on this process. */
export type Feeds = {
  /** Sends a person's events above an id to a reader, those that are there and those that come. */
  join: (userId: string, reader: Reader, after: number) => void
  /** Something was told to a person. */
  ring: (userId: string) => void
  /** Something may have been told to anybody. */
  ringAll: () => void
  /** Says to a person, or to everybody, what is stored nowhere: whoever misses it reads it with the person. */
  say: (userId: string | null, event: UserEvent['event']) => void
}

/** Messages of the database may be lost: everybody's is looked after this often as well, in milliseconds. */
const LOOK_MS = 10_000

type Place = { reader: Reader; after: number }

/** All that is due is read in one query; what comes while it is read is due again. */
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

/** Each event becomes text once, whoever reads it. */
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
