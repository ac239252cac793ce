import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import type { RunState } from '#shared/runs/runs/runs.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { closeEvents } from '../events/events.ts'
import { isPassing, type LiveRun } from './context/live-run.ts'
import type { Engine } from './engine.ts'
import { executeRun } from './execute.ts'
import { claimAndLoad } from './recover.ts'
import { releaseRun } from './rest/store.ts'
import { beginStandalone, type StandaloneRequest } from './standalone.ts'
import { type Begun, beginRun, type StartRequest } from './start.ts'
import { activeStates, findRun } from './store.ts'

/**
 * Starts a run. `prepare` runs in the transaction after the session is locked and known to be idle, so its writes
 * commit together with the run. `beforeFirst` is called before the first event is sent.
 * @throws AppError `session_busy` while another run is active, `not_found`, and what `prepare` throws
 */
export async function startRun(
  engine: Engine,
  sessionId: string,
  prepare: (trx: Kysely<Tables>) => Promise<StartRequest>,
  beforeFirst: (run: Begun) => void = () => undefined,
): Promise<Begun> {
  if (engine.isDraining) throw restarting()
  const begun = await beginRun(engine, sessionId, prepare)
  begin(engine, begun, beforeFirst)
  return begun.run
}

/** Starts a run that writes no reply; see `beginStandalone`. @throws AppError `unavailable` */
export async function startStandalone(
  engine: Engine,
  request: StandaloneRequest,
  announce: Parameters<typeof beginStandalone>[2],
): Promise<Begun> {
  if (engine.isDraining) throw restarting()
  const begun = await beginStandalone(engine, request, announce)
  begin(engine, begun)
  return begun.run
}

/** Sends the first events of a committed run and executes it, if this process does so. */
export function begin(
  engine: Engine,
  { run, events }: { run: LiveRun; events: RunEvent[] },
  beforeFirst: (run: LiveRun) => void = () => undefined,
): void {
  if (engine.works) hold(engine, run)
  beforeFirst(run)
  if (engine.works) for (const event of events) run.publisher.emit(event)
}

function restarting(): AppError {
  return new AppError('unavailable', 'The server is restarting. Try again in a moment.')
}

/**
 * Resumes a run without an owner from its journal. Returns null when another process was faster or the run is no
 * longer in one of these states. A process that does not execute runs resumes one only to end it, when a stop
 * was requested.
 */
export async function resumeRun(
  engine: Engine,
  runId: string,
  states: readonly RunState[] = activeStates,
): Promise<LiveRun | null> {
  if (engine.isDraining || engine.live.has(runId) || engine.claiming.has(runId)) return null
  engine.claiming.add(runId)
  try {
    const row = await findRun(engine.deps.db, runId)
    if (!row || !states.includes(row.state)) return null
    if (!engine.works && !row.stop_requested) return null
    const begun = await claimAndLoad(engine, row)
    if (!begun) return null
    hold(engine, begun.run)
    for (const event of begun.events) begun.run.publisher.emit(event)
    return begun.run
  } finally {
    engine.claiming.delete(runId)
  }
}

/** Resumes runs one after another. A run that cannot be resumed does not block the others. */
export async function resumeRuns(
  engine: Engine,
  runIds: readonly string[],
  states: readonly RunState[],
): Promise<void> {
  for (const id of runIds) {
    await resumeRun(engine, id, states).catch((error) => {
      if (isPassing(error)) throw error
      engine.deps.log.error({ error, run: id }, 'A run could not be taken up.')
    })
  }
}

/** Executes a run that this process has just claimed. */
function hold(engine: Engine, run: LiveRun): void {
  engine.live.set(run.id, run)
  engine.claiming.delete(run.id)
  engine.onHeld()
  void executeRun(engine, run)
}

/** Time a run gets to finish its step before it is released. */
const DRAIN_MS = 5_000

/** Releases every run at its next step, so that another process or the next start resumes it. */
export async function drainRuns(engine: Engine): Promise<void> {
  engine.isDraining = true
  const runs = [...engine.live.values()]
  for (const run of runs) {
    run.ending ??= 'release'
    run.onIdle()
  }
  const deadline = performance.now() + DRAIN_MS
  while (engine.live.size > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  for (const run of [...engine.live.values()]) {
    run.abort.abort(new Error('The server is stopping.'))
    await releaseRun(engine, run)
  }
  await closeEvents(engine.events).catch((error) =>
    engine.deps.log.warn({ error }, 'Last events were not stored.'),
  )
}
