import type { Kysely } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { RunEvent } from '#shared/runs/events.ts'
import { toJson } from '../../db/db.ts'
import type { Tables } from '../../db/tables.ts'
import { type LiveRun, stamp } from '../context/live-run.ts'
import type { Engine } from '../engine.ts'
import type { RecordValue } from '../journal-record.ts'
import { findActiveRun, findNextPosition, type RunRow } from '../store.ts'
import { tellOfRun } from '../tell-of-run.ts'

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
  await db
    .updateTable('runs')
    .set({ pause_requested: true })
    .where('id', '=', active.id)
    .where('state', 'in', ['queued', 'running'])
    .execute()
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

/** Commits that a paused run goes on, together with its claim. Any other run needs no such record. */
export async function recordResume(
  trx: Kysely<Tables>,
  before: RunRow,
  claimed: RunRow,
  now: Date,
): Promise<void> {
  if (before.paused_for === null || claimed.stop_requested) return
  const { id: run_id, attempt, epoch } = claimed
  const event = {
    ...{ event: 'agent_task_resumed', run_id, step_key: null, attempt, timestamp: now.toISOString() },
    checkpoint_name: await findPausedAt(trx, run_id),
  } satisfies RunEvent
  const value = toJson({ value: null, events: [event] })
  await trx
    .insertInto('run_records')
    .values({
      ...{ run_id, kind: 'resume', key: String(attempt), attempt, epoch, value },
      position: await findNextPosition(trx, run_id),
    })
    .execute()
}

async function findPausedAt(trx: Kysely<Tables>, runId: string): Promise<string> {
  const pause = await trx
    .selectFrom('run_records')
    .select('value')
    .where('run_id', '=', runId)
    .where('kind', '=', 'pause')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const event = (pause?.value as RecordValue | undefined)?.events[0]
  return event?.event === 'agent_task_paused' ? event.checkpoint_name : ''
}
