import type { RunEvent } from '#shared/runs/events.ts'
import { foldEvents } from '#shared/runs/reduce.ts'
import type { Engine } from './engine.ts'
import { appendRecord } from './journal.ts'
import { inTurn, type LiveRun, remember, stamp } from './live-run.ts'
import { lockSession, settleRun } from './store.ts'

/** Brings a run to rest until a person goes on with it: from here on no process holds it. */
export async function parkRun(engine: Engine, run: LiveRun): Promise<void> {
  const { db, clock } = engine.deps
  const now = clock.now()
  run.publisher.flush()
  const questions = run.asks.filter(({ key }) => !run.records.has(`ask:${key}`))
  const requests = questions.map((asked) => ({ key: asked.key, event: requestEvent(run, asked, now) }))
  const events: RunEvent[] = requests.map(({ event }) => event)
  if (run.pausedAt !== null) {
    const checkpoint_name = run.pausedAt
    events.push(
      stamp(run, null, { event: 'agent_task_paused', checkpoint_name, timestamp: now.toISOString() }),
    )
  }
  const view = foldEvents(run.publisher.view, events) ?? run.publisher.view
  const pendingInput = findPending(view.blocks)
  const state = pendingInput ? ('waiting' as const) : ('paused' as const)
  await inTurn(run, () =>
    db.transaction().execute(async (trx) => {
      await lockSession(trx, run.sessionId)
      for (const { key, event } of requests) {
        const record = { position: run.nextPosition, kind: 'ask' as const, key, value: null, events: [event] }
        await appendRecord(trx, run.holder, { ...record, attempt: run.attempt })
        remember(run, { ...record, epoch: run.holder.epoch })
      }
      await settleRun(trx, run.holder, { state, view, error: null, pendingInput }, now)
    }),
  )
  for (const event of events) run.publisher.emit(event)
}

function requestEvent(run: LiveRun, { key, question }: LiveRun['asks'][number], now: Date) {
  return stamp(run, null, {
    event: 'input_required',
    id: `${run.id}:${key}`,
    checkpoint_name: key,
    prompt: question.prompt,
    input_types: question.input_types,
    deadline: question.deadline ?? null,
    created_at: now.toISOString(),
  })
}

function findPending(blocks: readonly { type: string }[]): Record<string, unknown> | null {
  const waiting = blocks.find((block) => 'state' in block && block.state === 'waiting')
  return waiting ? { ...waiting } : null
}

/** Lets a run go, so that the next process goes on with it at once. */
export async function releaseRun(engine: Engine, run: LiveRun): Promise<void> {
  engine.live.delete(run.id)
  await engine.outbox.flush().catch(() => undefined)
  await engine.deps.db
    .updateTable('runs')
    .set({ owner: null })
    .where('id', '=', run.id)
    .where('owner', '=', run.holder.owner)
    .where('epoch', '=', run.holder.epoch)
    .execute()
}
