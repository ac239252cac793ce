import type { Platform } from '../platform.ts'
import type { Frame } from './channels.ts'
import type { SentRow } from './store.ts'
import { insertRows } from './store.ts'

/** Collects what was sent and stores it: one row per run, one statement per process and interval, and says so. */
export type SentFrames = {
  add: (run: { id: string; sessionId: string; epoch: number }, frame: Frame) => void
  /** Stores all there is; answers when it is durable. @throws when the database cannot be reached */
  flush: () => Promise<void>
  /** Calls back when another process has stored events, from now on. */
  hear: (listener: () => void) => Promise<void>
  close: () => Promise<void>
}

/** How often sent events are stored, in milliseconds. */
const STORE_MS = 100
/** When the database is away longer than this many rows, the oldest are let go: readers get a snapshot. */
const MAX_ROWS = 20_000

/** Where processes tell each other, by their ids, that they have stored events. */
const channel = 'atrium_events'

export function createSentFrames({
  db,
  instance,
  log,
}: Pick<Platform, 'db' | 'instance' | 'log'>): SentFrames {
  let rows = new Map<string, SentRow>()
  let unsent: SentRow[] = []
  let timer: NodeJS.Timeout | null = null
  let storing: Promise<void> = Promise.resolve()

  const flush = () => {
    storing = storing.catch(() => undefined).then(storeAll)
    return storing
  }
  async function storeAll() {
    const batch = [...unsent, ...rows.values()].slice(-MAX_ROWS)
    rows = new Map()
    unsent = []
    if (batch.length === 0) return
    try {
      for (let at = 0; at < batch.length; at += 1000)
        await insertRows(db, batch.slice(at, at + 1000), { from: instance.id, channel })
    } catch (error) {
      unsent = batch
      throw error
    }
  }
  function tick() {
    if (rows.size === 0 && unsent.length === 0) return stop()
    storeNow()
  }
  function storeNow() {
    flush().catch((error) => log.warn({ error }, 'Events could not be stored yet.'))
  }
  const stop = () => {
    if (timer) clearInterval(timer)
    timer = null
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
        if (row) unsent.push(row)
        const { sessionId, epoch } = run
        rows.set(run.id, { runId: run.id, sessionId, epoch, first: id, last: id, events: item })
      }
      if (timer) return
      // After a silence readers elsewhere wait for it: what one turn of the event loop brings is stored at once.
      setImmediate(storeNow)
      timer = setInterval(tick, STORE_MS)
    },
    flush,
    hear: (listener) =>
      instance.listen(channel, (from) => {
        if (from !== instance.id) listener()
      }),
    close: async () => {
      stop()
      await flush()
    },
  }
}
