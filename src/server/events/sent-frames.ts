import { CompiledQuery } from 'kysely'
import { type Database, planOnce } from '../db/db.ts'
import type { Platform } from '../platform.ts'
import type { Frame } from './channels.ts'

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

type Row = { runId: string; sessionId: string; epoch: number; first: number; last: number; events: string }

/** Where processes tell each other, by their ids, that they have stored events. */
const channel = 'atrium_events'

export function createSentFrames({
  db,
  instance,
  log,
}: Pick<Platform, 'db' | 'instance' | 'log'>): SentFrames {
  let rows = new Map<string, Row>()
  let unsent: Row[] = []
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
        await insertRows(db, batch.slice(at, at + 1000), instance.id)
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

/**
 * The join is the fence: what a process wrote for a run it lost is left out. Filled up with rows of no run to a power
 * of two, so that a connection plans eleven statements at most.
 */
async function insertRows(db: Database, rows: Row[], from: string): Promise<void> {
  const size = 2 ** Math.ceil(Math.log2(rows.length))
  const parameters = rows.flatMap((row) => [
    ...[row.runId, row.sessionId, row.epoch, row.first, row.last],
    `[${row.events}]`,
  ])
  const fill: null[] = Array((size - rows.length) * 6).fill(null)
  const insert = CompiledQuery.raw(insertText(size), [...parameters, ...fill, from])
  await db.executeQuery(planOnce(`store_events_${size}`, insert))
}

function insertText(size: number): string {
  const values = Array.from({ length: size }, (_, index) => {
    const at = index * 6
    return `($${at + 1}::uuid,$${at + 2}::uuid,$${at + 3}::bigint,$${at + 4}::bigint,$${at + 5}::bigint,$${at + 6}::json)`
  })
  return `with stored as (
    insert into run_events (run_id, session_id, first_id, last_id, events)
    select sent.run_id, sent.session_id, sent.first_id, sent.last_id, sent.events
    from (values ${values.join(',')}) as sent (run_id, session_id, epoch, first_id, last_id, events)
    join runs on runs.id = sent.run_id and runs.epoch = sent.epoch
    on conflict do nothing)
    select pg_notify('${channel}', $${size * 6 + 1})`
}
