import { AppError } from '#shared/platform/errors.ts'
import { type LiveRun, stamp } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import { findActiveRun } from '../store.ts'
import { tellOfRun } from '../watch/watch-store.ts'
import { wishPause } from './store.ts'

/**
 * Asks the active run of a session to pause at its next checkpoint, whichever process owns it. A run at rest
 * stays as it is. @throws AppError `conflict` when there is no active run
 */
export async function requestPause(engine: Engine, sessionId: string): Promise<string> {
  const { db } = engine.deps
  const active = await findActiveRun(db, sessionId)
  if (!active) throw new AppError('conflict', 'No active task to pause')
  if (active.state === 'waiting') return 'The task waits for your input.'
  if (active.state === 'paused') return 'The task is paused.'
  // Sub-runs pause with their parent.
  await wishPause(db, active.id)
  await tellOfRun(engine.deps.db, active.id)
  return 'The task pauses at its next checkpoint.'
}

/** Marks a live run for a pause and announces it once. */
export function hearPause(engine: Engine, run: LiveRun): void {
  if (run.pauseRequested) return
  run.pauseRequested = true
  const timestamp = engine.deps.clock.now().toISOString()
  run.publisher.emit(stamp(run, null, { event: 'agent_pause_requested', timestamp }))
}
