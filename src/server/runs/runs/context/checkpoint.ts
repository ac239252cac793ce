import { BudgetError } from '../../../money/billing/billing.ts'
import type { Database } from '../../../platform/db/db.ts'
import { commit, type LiveRun, stamp } from './live-run.ts'

type Deps = { db: Database; now: () => Date }
type Place = { key: string; name: string; kind: string }

/** Commits a named position, then announces it. */
export async function commitCheckpoint(deps: Deps, run: LiveRun, { key, name, kind }: Place): Promise<void> {
  const event = stamp(run, null, {
    event: 'checkpoint_created',
    id: `${run.id}:${key}`,
    message_id: run.input.message_id,
    checkpoint_name: name,
    kind,
    created_at: deps.now().toISOString(),
  })
  await commit(deps.db, run, { kind: 'checkpoint', key, value: null, events: [event] })
  run.publisher.emit(event)
}

/**
 * Pauses the run before a step it cannot pay for: at the checkpoint it has just passed, else at a new one.
 * The replay reaches the same step and checks balance and budgets again.
 */
export async function restUnpaid(deps: Deps, run: LiveRun, stepKey: string, error: unknown): Promise<void> {
  const place = lastCheckpoint(run) ?? { key: `unpaid:${stepKey}`, name: 'llm_checkpoint', kind: 'llm' }
  if (!run.records.has(`checkpoint:${place.key}`)) await commitCheckpoint(deps, run, place)
  const { name } = place
  if (error instanceof BudgetError) run.pausedAt = { name, reason: 'budget', budget: error.budget }
  else run.pausedAt = { name, reason: 'balance' }
}

/** Returns the checkpoint at the end of the journal, or null when another record follows it. */
function lastCheckpoint(run: LiveRun): Place | null {
  const records = [...run.records.values()]
  const last = records.findLast(({ kind }) => kind !== 'pause' && kind !== 'resume')
  const event = last?.events[0]
  if (!last || event?.event !== 'checkpoint_created') return null
  return { key: last.key, name: event.checkpoint_name, kind: event.kind }
}
