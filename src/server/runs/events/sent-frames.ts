import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Platform } from '../../platform/platform.ts'
import type { Frame } from './channels.ts'
import type { SentRow } from './store.ts'
import { insertRows } from './store.ts'

/** Collects sent frames, stores them as one row per run and interval, and notifies other processes. */
export type SentFrames = {
  add: (run: { id: string; sessionId: string; epoch: number }, frame: Frame) => void
  /** Stores the frames of a run immediately instead of at its next interval. */
  hasten: (runId: string) => void
  /** Stores all collected frames. Resolves when they are durable. @throws when the database is unreachable */
  flush: () => Promise<void>
  /** Calls back when another process has stored events: with the session ids, or null when there are too many to name. */
  hear: (listener: (sessionIds: string[] | null) => void) => Promise<void>
  close: () => Promise<void>
}

/** Interval between two writes of a run, in milliseconds. After a pause it writes at the next tick. */
const STORE_MS = 100
/** Interval between ticks: it spreads writes over two halves, so that remote readers do not all wake together. */
const MOMENT_MS = 50
/** Maximum buffered rows while the database is unavailable. The oldest rows are dropped; their readers get a snapshot. */
const MAX_ROWS = 20_000
const ROWS_AT_ONCE = 1_000

/** Notification channel for newly stored events. */
const channel = 'atrium_events'
const News = z.object({ from: z.string(), sessions: z.array(z.string()).nullable() })
/** Session ids per notification. PostgreSQL limits it to less than 8,000 bytes. */
const MAX_NAMED = 150

export function createSentFrames({
  db,
  instance,
  log,
}: Pick<Platform, 'db' | 'instance' | 'log'>): SentFrames {
  /** Rows waiting for the next tick, by run. */
  const rows = new Map<string, SentRow>()
  /** Time of the last write by run, oldest first. Runs past their interval are removed. */
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
        // Frames sent before this process lost and resumed the run must not void the later ones.
        if (row) due.push(row)
        const { sessionId, epoch } = run
        rows.set(run.id, { runId: run.id, sessionId, epoch, first: id, last: id, events: item })
      }
      if (timer) return
      // Groups everything that arrives in one turn of the event loop.
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
