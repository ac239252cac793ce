import { AppError } from '#shared/platform/errors.ts'
import { endRun } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import { resumeRun, resumeRuns } from '../hold.ts'
import { activeStates, findActiveRun, findRun } from '../store.ts'
import { tellOfRun } from '../watch/watch-store.ts'
import { findStopped, wishStop } from './store.ts'

/** How long the caller waits for the end of a run, in milliseconds. */
const STOP_WAIT_MS = 5_000

/**
 * Ends the active run of a session with the text it has, wherever it is held; answers once it has ended.
 * @throws AppError `unavailable` when it has not ended in time; it still ends as soon as it can
 */
export async function stopSession(
  engine: Engine,
  sessionId: string,
  waitMs: number = STOP_WAIT_MS,
): Promise<void> {
  const active = await findActiveRun(engine.deps.db, sessionId)
  if (active) await stopRun(engine, active.id, waitMs)
}

/** The same with one run, also one that writes no reply; does nothing with one that is over. */
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

/** Ends a run that is asked to, if that is for this process to do; whether it is at its end. */
async function isOver(engine: Engine, runId: string): Promise<boolean> {
  const held = engine.live.get(runId)
  if (held) {
    endRun(held, 'stop')
    return false
  }
  const row = await findRun(engine.deps.db, runId)
  if (!row || !activeStates.some((state) => state === row.state)) return true
  // Nobody holds a run that waits, is paused or queued. While somebody else works in its session it cannot be taken up.
  const isFree = row.owner === null || !(await engine.deps.instance.isAlive(row.owner))
  if (isFree) await resumeRun(engine, runId)
  return false
}

function notYet(): AppError {
  return new AppError('unavailable', 'It could not be stopped yet. Try again in a moment.', {
    retryAfterSeconds: 1,
  })
}

/** Ends the runs at rest that were asked to end when nobody could take them up. */
export async function endStopped(engine: Engine): Promise<void> {
  await resumeRuns(engine, await findStopped(engine.deps.db), ['waiting', 'paused'])
}
