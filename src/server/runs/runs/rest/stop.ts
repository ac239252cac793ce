import type { Kysely } from 'kysely'
import { AppError } from '#shared/platform/errors.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { endRun } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import { resumeRun, resumeRuns } from '../hold.ts'
import { activeStates, findActiveRun, findRun } from '../store.ts'
import { tellOfRun } from '../watch/watch-store.ts'
import { findStopped, wishStop } from './store.ts'

/** How long the caller waits for the run to end, in milliseconds. */
const STOP_WAIT_MS = 5_000

/**
 * Stops the active run of a session with its partial text, whichever process owns it. Resolves when it has ended.
 * @throws AppError `unavailable` on a timeout; the run still ends as soon as possible
 */
export async function stopSession(
  engine: Engine,
  sessionId: string,
  waitMs: number = STOP_WAIT_MS,
): Promise<void> {
  const active = await findActiveRun(engine.deps.db, sessionId)
  if (active) await stopRun(engine, active.id, waitMs)
}

/** Stops one run like `stopSession`, standalone ones included. Does nothing when it is over. */
export async function stopRun(engine: Engine, runId: string, waitMs: number = STOP_WAIT_MS): Promise<void> {
  const { db } = engine.deps
  await wishStop(db, runId)
  await tellOfRun(db, runId)
  const deadline = performance.now() + waitMs
  while (!(await isOver(engine, runId))) {
    if (performance.now() > deadline) throw notYet()
    await new Promise((resolve) => setTimeout(resolve, engine.live.has(runId) ? 5 : 50))
  }
}

/** Requests the stop of a run in a transaction. Its owner, or any worker when it is at rest, ends it after the commit. */
export async function askToStop(trx: Kysely<Tables>, runId: string): Promise<void> {
  await wishStop(trx, runId)
  await tellOfRun(trx, runId)
}

/** Ends a run with a stop request, if this process may. Returns whether the run is over. */
async function isOver(engine: Engine, runId: string): Promise<boolean> {
  const held = engine.live.get(runId)
  if (held) {
    endRun(held, 'stop')
    return false
  }
  const row = await findRun(engine.deps.db, runId)
  if (!row || !activeStates.some((state) => state === row.state)) return true
  // Waiting, paused and queued runs have no owner. They cannot be claimed while their session is locked.
  const isFree = row.owner === null || !(await engine.deps.instance.isAlive(row.owner))
  if (isFree) await resumeRun(engine, runId)
  return false
}

function notYet(): AppError {
  return new AppError('unavailable', 'It could not be stopped yet. Try again in a moment.', {
    retryAfterSeconds: 1,
  })
}

/** Ends runs at rest whose stop request could not be carried out before. */
export async function endStopped(engine: Engine): Promise<void> {
  await resumeRuns(engine, await findStopped(engine.deps.db), ['waiting', 'paused'])
}
