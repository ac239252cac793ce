import type { RunEvent } from '#shared/runs/runs/events.ts'
import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import type { RunView } from '#shared/runs/runs/view.ts'
import type { StoppingBudget } from '../../../money/billing/billing.ts'
import { inTurn, type LiveRun, remember, stamp, workplaceOf } from '../context/live-run.ts'
import { heldFor } from '../context/usage.ts'
import type { Engine } from '../engine.ts'
import { appendRecord } from '../journal/journal-store.ts'
import { lockSession } from '../store.ts'
import { hasNewAnswers, requestEvent, toolAsks } from './answers.ts'
import { findPendingInput, openRequests } from './request-store.ts'
import { settleRun } from './settle-store.ts'

/**
 * Brings a run to rest until a person resumes it; no process owns it meanwhile. Returns false when an answer arrived
 * in the same moment; the run then continues.
 */
export async function parkRun(engine: Engine, run: LiveRun): Promise<boolean> {
  const { db, clock } = engine.deps
  const now = clock.now()
  run.publisher.flush()
  const requests = run.asks.map((asked) => {
    return { key: asked.key, event: requestEvent(run, asked, now), tools: toolAsks(run, asked) }
  })
  const fresh: Rest[] = requests
    .filter(({ key }) => !run.records.has(`ask:${key}`))
    .map(({ key, event, tools }) => ({ kind: 'ask', key, events: [...tools, event] }))
  const events: RunEvent[] = requests.flatMap(({ event, tools }) => [...tools, event])
  const pausedAt = requests.length === 0 ? run.pausedAt : null
  if (pausedAt) {
    const event = pauseEvent(run, pausedAt, now)
    events.push(event)
    fresh.push({ kind: 'pause', key: String(run.attempt), events: [event] })
  }
  for (const event of events.slice(0, -1)) if (event.event === 'input_required') event.more = true
  const view = foldEvents(run.publisher.view, events) ?? run.publisher.view
  const state = pausedAt ? ('paused' as const) : ('waiting' as const)
  const paused = { pausedFor: pausedAt?.reason ?? null, pausedBudget: pausedAt?.budget?.id ?? null }
  const isParked = await inTurn(run, () =>
    db.transaction().execute(async (trx) => {
      const session = workplaceOf(run)
      if (session) await lockSession(trx, session)
      if (run.steps.size > 0 || (await hasNewAnswers(trx, run))) return false
      for (const { kind, key, events } of fresh) {
        const record = { position: run.nextPosition, kind, key, value: null, events }
        await appendRecord(trx, run.holder, { ...record, attempt: run.attempt })
        remember(run, { ...record, epoch: run.holder.epoch })
      }
      await openRequests(trx, run, requests)
      const pendingInput = session ? await findPendingInput(trx, session) : null
      const outcome = { state, view, error: null, pendingInput, ...paused, held: heldFor(run) }
      await settleRun(trx, run.holder, outcome, now)
      await engine.reservations.releaseRun(trx, run.id)
      return true
    }),
  )
  if (isParked) for (const event of events) run.publisher.emit(event)
  return isParked
}

type Rest = { kind: 'ask' | 'pause'; key: string; events: RunEvent[] }

function pauseEvent(run: LiveRun, { name, reason, budget }: NonNullable<LiveRun['pausedAt']>, now: Date) {
  const mark = budget && { budget: markOf(budget) }
  const event = { event: 'agent_task_paused' as const, checkpoint_name: name, reason, ...mark }
  const at_step = standingStep(run.publisher.view)
  return stamp(run, null, { ...event, timestamp: now.toISOString(), ...(at_step && { at_step }) })
}

const markOf = ({ kind, period, is_own }: StoppingBudget) => ({ kind, period, ...(is_own && { is_own }) })

/** Returns the plan step to show as waiting; undefined when the run has no plan steps. */
function standingStep({ blocks }: RunView) {
  const step = blocks.find((block) => block.type === 'step' && !block.completed && !block.failed)
  if (step?.type !== 'step' || step.single_step) return null
  return { number: step.number, begun: blocks.some((block) => 'step' in block && block.step === step.number) }
}
