import { sql } from 'kysely'
import * as z from 'zod'
import type { Frame } from './channels.ts'
import type { Engine } from './engine.ts'
import { follow } from './follow.ts'
import { firstId } from './frames.ts'
import type { LiveRun } from './live-run.ts'

/** What readers of a session hear of a tool that a person executes beside its chat. */
const told = new Set(['tool_update', 'tool_partial_update', 'tool_input_required', 'input_required'])

/** A standalone run that begins, or goes on after it waited. */
const Begun = z.object({ from: z.string(), session: z.string(), run: z.string(), after: z.int() })
type Begun = z.infer<typeof Begun>

const channel = 'atrium_standalone'
const listenersOf = new WeakMap<Engine, Set<(begun: Begun) => void>>()

/** Tells the readers of a standalone run's session, in any process, that there is something to follow. */
export async function announceStandalone(engine: Engine, run: LiveRun): Promise<void> {
  const session = run.input.standalone?.session_id
  if (!session) return
  const { db, instance } = engine.deps
  const begun = { from: instance.id, session, run: run.id, after: run.publisher.lastId }
  tell(engine, begun)
  await sql`select pg_notify(${channel}, ${JSON.stringify(begun)})`.execute(db)
}

/** Passes on what other processes announce. */
export async function hearStandalone(engine: Engine): Promise<void> {
  const { instance } = engine.deps
  await instance.listen(channel, (payload) => {
    const { data: begun } = Begun.safeParse(JSON.parse(payload))
    if (begun && begun.from !== instance.id) tell(engine, begun)
  })
}

function tell(engine: Engine, begun: Begun): void {
  for (const listener of listenersOf.get(engine) ?? []) listener(begun)
}

/**
 * Gives what the standalone runs of a session tell from now on, whichever process executes them and however large
 * it is. The answer ends it.
 */
export async function followStandalone(
  engine: Engine,
  sessionId: string,
  give: (frame: Frame) => void,
): Promise<() => void> {
  const followed = new Map<string, { after: number; leave: () => void }>()
  const begin = (runId: string, after: number) => {
    const known = followed.get(runId)
    known?.leave()
    const one = { after: known?.after ?? after, leave: () => {} }
    followed.set(runId, one)
    const event = (frame: Frame) => {
      one.after = frame.id
      if (told.has(frame.event.event)) give(frame)
    }
    const rested = () => {
      one.leave()
      followed.delete(runId)
    }
    one.leave = follow(engine, { sessionId: runId, runId, after: one.after }, { event, rested })
  }
  const listener = ({ session, run, after }: Begun) => {
    if (session === sessionId) begin(run, after)
  }
  const listeners = listenersOf.get(engine) ?? new Set()
  listenersOf.set(engine, listeners.add(listener))
  for (const { id, last } of await findUnderWay(engine, sessionId)) if (!followed.has(id)) begin(id, last)
  return () => {
    listeners.delete(listener)
    for (const { leave } of followed.values()) leave()
  }
}

/** The standalone runs of a session that go on, and what is stored of each. */
async function findUnderWay({ deps }: Engine, sessionId: string): Promise<{ id: string; last: number }[]> {
  const rows = await deps.db
    .selectFrom('runs')
    .leftJoin('run_events', 'run_events.session_id', 'runs.id')
    .select((row) => ['runs.id', 'runs.epoch', row.fn.max('run_events.last_id').as('last')])
    .where('runs.session_id', '=', sessionId)
    .where('runs.kind', '=', 'tool')
    .where('runs.state', 'in', ['queued', 'running'])
    .groupBy('runs.id')
    .orderBy('runs.id')
    .execute()
  return rows.map(({ id, epoch, last }) => ({ id, last: last ?? firstId(epoch) }))
}
