import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Platform } from '../../platform/platform.ts'
import type { Frame } from './channels.ts'
import type { SentRow } from './store.ts'
import { insertRows } from './store.ts'

/** Collects what was sent and stores it, one row per run and interval, and says so. */
export type SentFrames = {
  add: (run: { id: string; sessionId: string; epoch: number }, frame: Frame) => void
  /** Does not wait for the moment of a run: stores what it has sent so far at once. */
  hasten: (runId: string) => void
  /** Stores all there is; answers when it is durable. @throws when the database cannot be reached */
  flush: () => Promise<void>
  /** Calls back when another process has stored events, from now on: in which sessions, or null when they are too many to name. */
  hear: (listener: (sessionIds: string[] | null) => void) => Promise<void>
  close: () => Promise<void>
}

/** What a run sends is stored this often, in milliseconds; after a silence at the next moment. */
const STORE_MS = 100
/** The moments: what many runs send is stored in two parts, and readers elsewhere are not all written to at once. */
const MOMENT_MS = 50
/** When the database is away longer than this many rows, the oldest are let go: readers get a snapshot. */
const MAX_ROWS = 20_000
const ROWS_AT_ONCE = 1_000

/** Where processes tell each other that they have stored events. */
const channel = 'atrium_events'
const News = z.object({ from: z.string(), sessions: z.array(z.string()).nullable() })
/** A notification has room for less than 8,000 bytes. */
const MAX_NAMED = 150

export function createSentFrames({
  db,
  instance,
  log,
}: Pick<Platform, 'db' | 'instance' | 'log'>): SentFrames {
  /** What waits for its moment, by run. */
  const rows = new Map<string, SentRow>()
  /** When runs were stored last, oldest first; those that may be stored again are not among them. */
  const storedAt = new Map<string, number>()
  let due: SentRow[] = []
  let timer: NodeJS.Timeout | null = null
  let isStoring = false
  let isHastened = false
  let storing: Promise<void> = Promise.resolve()

  const storeDue = () => {
    storing = storing.catch(() => undefined).then(insertDue)
    return storing
  }
  async function insertDue() {
    const batch = due.slice(-MAX_ROWS)
    due = []
    try {
      for (let at = 0; at < batch.length; at += ROWS_AT_ONCE) {
        const some = batch.slice(at, at + ROWS_AT_ONCE)
        await insertRows(db, some, { channel, news: JSON.stringify(newsOf(some, instance.id)) })
      }
    } catch (error) {
      due = [...batch, ...due]
      throw error
    }
  }
  function tick() {
    if (isStoring) return
    isHastened = false
    const now = performance.now()
    for (const [id, at] of storedAt) {
      if (now - at < STORE_MS - MOMENT_MS / 2) break
      storedAt.delete(id)
    }
    for (const id of rows.keys()) if (!storedAt.has(id)) makeDue(id, now)
    if (due.length > 0) void storeNow()
    else if (storedAt.size === 0) stop()
  }
  function makeDue(id: string, now: number) {
    const row = rows.get(id)
    if (row) due.push(row)
    rows.delete(id)
    storedAt.delete(id)
    storedAt.set(id, now)
  }
  async function storeNow() {
    isStoring = true
    try {
      await storeDue()
    } catch (error) {
      log.warn({ error }, 'Events could not be stored yet.')
      await sleep(STORE_MS)
    }
    isStoring = false
    if (isHastened) tick()
  }
  const stop = () => {
    if (timer) clearInterval(timer)
    timer = null
  }
  const flush = () => {
    const now = performance.now()
    for (const id of rows.keys()) makeDue(id, now)
    return storeDue()
  }
  return {
    add: (run, { id, event, data }) => {
      const item = `[${id},"${event.event}",${data}]`
      const row = rows.get(run.id)
      if (row?.epoch === run.epoch) {
        row.events += `,${item}`
        row.last = id
      } else {
        // What was sent before this process lost the run and took it up again must not void what follows.
        if (row) due.push(row)
        const { sessionId, epoch } = run
        rows.set(run.id, { runId: run.id, sessionId, epoch, first: id, last: id, events: item })
      }
      if (timer) return
      // What one turn of the event loop brings is stored at once.
      setImmediate(tick)
      timer = setInterval(tick, MOMENT_MS)
    },
    hasten: (runId) => {
      storedAt.delete(runId)
      isHastened = true
      setImmediate(tick)
    },
    flush,
    hear: (listener) =>
      instance.listen(channel, (payload) => {
        const { data: news } = News.safeParse(JSON.parse(payload))
        if (news && news.from !== instance.id) listener(news.sessions)
      }),
    close: async () => {
      stop()
      await flush()
    },
  }
}

function newsOf(rows: SentRow[], from: string): z.infer<typeof News> {
  const sessions = [...new Set(rows.map(({ sessionId }) => sessionId))]
  return { from, sessions: sessions.length > MAX_NAMED ? null : sessions }
}
