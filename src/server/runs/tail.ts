import { sql } from 'kysely'
import type { RunEvent } from '#shared/runs/events.ts'
import type { Engine } from './engine.ts'
import { activeStates, type StoredEvent } from './store.ts'

/** How often what other processes store is read, in milliseconds. */
const TAIL_MS = 100

type Where = { sessionId: string; runId: string | null; after: number }
type Tail = Where & {
  event: (stored: StoredEvent) => void
  /** The run it follows came to rest, and every stored event was given. */
  rested: () => void
}

const tailsOf = new WeakMap<Engine, Set<Tail>>()

/**
 * Gives every event above `after` that any process stores in a session, of one run or of all. All readers of a
 * process share one query. The answer ends it.
 */
export function followStored(
  engine: Engine,
  where: Where,
  { event, rested = () => undefined }: { event: Tail['event']; rested?: () => void },
): () => void {
  const tails = tailsOf.get(engine) ?? new Set<Tail>()
  tailsOf.set(engine, tails)
  const tail = { ...where, event, rested }
  tails.add(tail)
  if (tails.size === 1) void readOn(engine, tails)
  return () => {
    tails.delete(tail)
  }
}

async function readOn(engine: Engine, tails: Set<Tail>): Promise<void> {
  while (tails.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, TAIL_MS))
    const due = [...tails].filter(({ runId }) => runId !== null || engine.hasPeers)
    if (due.length === 0) continue
    try {
      await readOnce(engine, due)
    } catch (error) {
      engine.deps.log.warn({ error }, 'Events of other processes could not be read.')
    }
  }
}

type Row = { session_id: string; run_id: string; last_id: number; events: [number, string, object][] }

async function readOnce(engine: Engine, tails: Tail[]): Promise<void> {
  // Whether a run rests is asked first: what it stored before that is then surely read.
  const active = await findActive(engine, tails)
  const sessions = [...new Set(tails.map(({ sessionId }) => sessionId))]
  const from = Math.min(...tails.map(({ after }) => after))
  const { rows } = await sql<Row>`
    select session_id, run_id, last_id, events from run_events
    where session_id in (${sql.join(sessions)}) and last_id > ${from}
    order by first_id limit 2000`.execute(engine.deps.db)
  for (const tail of tails) {
    for (const row of rows) if (row.session_id === tail.sessionId) give(tail, row)
    if (tail.runId !== null && !active.has(tail.runId) && rows.length < 2000) tail.rested()
  }
}

function give(tail: Tail, { run_id, events }: Row): void {
  if (tail.runId !== null && run_id !== tail.runId) return
  for (const [id, event, fields] of events) {
    if (id <= tail.after) continue
    tail.after = id
    tail.event({ id, runId: run_id, event: { ...fields, event } as RunEvent })
  }
}

async function findActive(engine: Engine, tails: Tail[]): Promise<Set<string>> {
  const ids = tails.flatMap(({ runId }) => (runId === null ? [] : [runId]))
  if (ids.length === 0) return new Set()
  const rows = await engine.deps.db
    .selectFrom('runs')
    .select('id')
    .where('id', 'in', ids)
    .where('state', 'in', activeStates)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
