import { AppError } from '#shared/platform/errors.ts'
import { type LiveRun, stamp } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import { findActiveRun } from '../store.ts'
import { tellOfRun } from '../watch/watch-store.ts'
import { wishPause } from './store.ts'

/**
 * Asks the active run of a session to stand still at its next checkpoint, wherever it is held. A run that rests
 * already is left as it is. @throws AppError `conflict` when there is none
 */
export async function requestPause(engine: Engine, sessionId: string): Promise<string> {
  const { db } = engine.deps
  const active = await findActiveRun(db, sessionId)
  if (!active) throw new AppError('conflict', 'No active task to pause')
  if (active.state === 'waiting') return 'The task waits for your input.'
  if (active.state === 'paused') return 'The task is paused.'
  // Sub-runs live with the run they belong to: it stands still when they do.
  await wishPause(db, active.id)
  await tellOfRun(engine.deps.db, active.id)
  return 'The task pauses at its next checkpoint.'
}

/** Tells a run that it is to stand still; it says so once. */
export function hearPause(engine: Engine, run: LiveRun): void {
  if (run.pauseRequested) return
  run.pauseRequested = true
  const timestamp = engine.deps.clock.now().toISOString()
  run.publisher.emit(stamp(run, null, { event: 'agent_pause_requested', timestamp }))
}
