import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { say } from '#tests/asking.ts'
import { aGate } from '#tests/chat.ts'
import {
  anAgent,
  aRun,
  lookAfter,
  patiently,
  play,
  readRun,
  readTold,
  rested,
  type Work,
} from '#tests/runs.ts'
import { BudgetError, type StoppingBudget } from '../../../money/billing/billing.ts'
import type { RunContext } from '../context/run-context.ts'
import type { Engine } from '../engine.ts'
import { goOn, loadRecords, loadRested, requestPause, stopRun } from '../runs.ts'
import { findRun } from '../store.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ features: [] })
})
afterAll(() => app.close())

const rowOf = async (runId: string) => (await findRun(app.deps.db, runId))!
const pauseNow = (runId: string, engine: Engine) => {
  engine.live.get(runId)!.pauseRequested = true
}
/** Requests a pause in its first step and continues after its checkpoint. */
const pauses = async (run: RunContext): Promise<void> => {
  await say(run, 'one', 'One. ')
  await run.step('wish', async () => {
    await app.deps.db.updateTable('runs').set({ pause_requested: true }).where('id', '=', run.id).execute()
  })
  await run.checkpoint('between')
  await say(run, 'two', 'Two. ')
}

/** Returns a run paused at its checkpoint by its user. */
async function aPaused(work = pauses) {
  const asked = aGate()
  const engine = anAgent(app, async (run) => {
    await run.step('begin', () => asked.opened)
    await work(run)
  })
  const { id } = await aRun(app, engine)
  pauseNow(id, engine)
  asked.open()
  return { engine, ...(await rested(app, engine, id)) }
}

describe('a pause request', () => {
  it('reaches the owner, is announced once and takes effect at the next checkpoint', async () => {
    const gate = aGate()
    const engine = anAgent(app, async (run) => {
      await run.step('one', () => gate.opened)
      await run.checkpoint('between')
      await say(run, 'two', 'Two.')
    })
    const stop = lookAfter(engine)
    const { id, sessionId } = await aRun(app, engine)
    expect(await requestPause(engine, sessionId)).toBe('The task pauses at its next checkpoint.')
    expect(await requestPause(engine, sessionId)).toBe('The task pauses at its next checkpoint.')
    await expect.poll(() => engine.live.get(id)?.pauseRequested, patiently).toBe(true)
    gate.open()
    const { run, reply } = await rested(app, engine, id)
    stop()
    expect(run).toMatchObject({ state: 'paused', paused_for: 'request', pause_requested: false })
    expect(reply.blocks.at(-1)).toMatchObject({
      type: 'paused',
      checkpoint_name: 'between',
      reason: 'request',
    })
    const told = (await readTold(app, engine, id)).map(({ event }) => event)
    expect(told.slice(1)).toEqual(['agent_pause_requested', 'checkpoint_created', 'agent_task_paused'])
    expect(await requestPause(engine, sessionId)).toBe('The task is paused.')
    expect((await rowOf(id)).pause_requested).toBe(false)
  })

  it('has no effect on a waiting run and is refused without a run', async () => {
    const { engine, run, session } = await play(app, (run) =>
      run.ask('which', { prompt: 'Which one?', input_types: ['text'] }),
    )
    expect(await requestPause(engine, session.id)).toBe('The task waits for your input.')
    expect((await rowOf(run.id)).pause_requested).toBe(false)
    await stopRun(engine, run.id)
    await expect(requestPause(engine, session.id)).rejects.toMatchObject({
      ...{ code: 'conflict', detail: 'No active task to pause' },
    })
  })

  it.each<[string, (run: RunContext) => Promise<unknown>, unknown]>([
    ['no step of a run without steps', async () => undefined, undefined],
    [
      'the step that is not begun',
      async (run) => {
        await run.scope('step1', (step) => say(step, 'text', 'Done.'))
        await begins(run, 2)
      },
      { number: 2, begun: false },
    ],
    [
      'the step that is begun',
      async (run) => {
        await begins(run, 2)
        await run.scope('step2', (step) => say(step, 'text', 'So far.'))
      },
      { number: 2, begun: true },
    ],
    [
      'no step that is over',
      async (run) => {
        await begins(run, 1)
        await run.step('end', async (leaf) => leaf.emit({ event: 'agent_step_completed', number: 1 }))
      },
      undefined,
    ],
    ['no step of a run that is one step', (run) => begins(run, 1, true), undefined],
  ])('puts a run to rest at %s', async (_, work, at_step) => {
    const { reply, records } = await aPaused(async (run) => {
      await work(run)
      await run.checkpoint('between')
    })
    const paused = reply.blocks.at(-1)
    expect(paused).toMatchObject({ type: 'paused', checkpoint_name: 'between' })
    expect(paused?.type === 'paused' && paused.at_step).toEqual(at_step)
    expect(records.at(-1)?.kind).toBe('pause')
  })

  const begins = (run: RunContext, number: number, single_step = false) =>
    run.step('begins', async (leaf) => {
      leaf.emit({ event: 'agent_step_started', number, description: 'Do it', single_step })
    })
})

describe('a paused run', () => {
  it('resumes from its position once, and announces it', async () => {
    const { engine, run, session } = await aPaused()
    const paused = await rowOf(run.id)
    expect(session).toMatchObject({ status: 'active', agent_status: 'paused' })
    expect(await loadRested(app.deps.db, session.id)).toMatchObject({
      ...{ view: { status: 'paused', stopped: false }, last: { event: 'agent_task_paused' } },
    })
    expect(await goOn(engine, paused)).toBe(true)
    expect(await goOn(engine, paused)).toBe(false)
    const { run: over, reply, keys } = await rested(app, engine, run.id)
    expect(over).toMatchObject({ state: 'completed', paused_for: null, attempt: 2 })
    expect(reply.content).toBe('One. Two. ')
    expect(reply.blocks.map(({ type }) => type)).not.toContain('paused')
    expect(keys.filter((key) => /^(pause|resume)/.test(key))).toEqual(['pause:1', 'resume:2'])
    const records = await loadRecords(app.deps.db, run.id)
    const resumed = records.find(({ kind }) => kind === 'resume')?.events[0]
    expect(resumed).toMatchObject({
      ...{ event: 'agent_task_resumed', checkpoint_name: 'between' },
      ...{ run_id: run.id, attempt: 2, step_key: null, timestamp: expect.stringMatching(/^20.*Z$/) },
    })
    const told = await readTold(app, engine, run.id)
    // Readers start over with the committed view, then learn that the run resumed.
    const from = told.findIndex(({ event }) => event === 'task_stream_init')
    expect(told[from]).toMatchObject({ view: { content: 'One. ' } })
    expect(told[from + 1]).toEqual(resumed)
  })

  it('is queued for a worker when this process executes no runs', async () => {
    const { engine, run } = await aPaused()
    const paused = await rowOf(run.id)
    const web: Engine = { ...engine, works: false }
    expect(await goOn(web, paused)).toBe(true)
    expect(web.live.size).toBe(0)
    const { run: queued, session } = await readRun(app, run.id)
    expect(queued).toMatchObject({ state: 'queued', owner: null, paused_for: 'request' })
    expect(session).toMatchObject({ status: 'GENERATING', agent_status: 'processing' })
    expect(await goOn(web, paused)).toBe(false)
    const stop = lookAfter(engine)
    await expect.poll(async () => (await rowOf(run.id)).state, patiently).toBe('completed')
    stop()
    expect((await readRun(app, run.id)).keys).toContain('resume:2')
  })
})

describe('a run that cannot pay', () => {
  const budget: StoppingBudget = { id: randomUUID(), kind: 'company', period: 'day', is_own: false }
  const unpaid = () => new AppError('insufficient_balance', 'Nothing is left.')
  /** Starts a run whose second step is refused `times` times; `before` runs in between. */
  async function aPoor(refusal: () => AppError, times = 1, before: Work = async () => undefined) {
    let left = times
    return play(app, async (run, end) => {
      await say(run, 'one', 'One. ')
      await before(run, end)
      await run.step('two', async (leaf) => {
        if (left-- > 0) throw refusal()
        leaf.emit({ event: 'response_chunk', content: 'Two.' })
      })
    })
  }

  it('pauses at a new checkpoint before the step until it can pay', async () => {
    const { engine, run, reply, keys, session } = await aPoor(unpaid, 2)
    expect(run).toMatchObject({ state: 'paused', paused_for: 'balance', paused_budget: null, error: null })
    expect(session).toMatchObject({ status: 'active', agent_status: 'paused' })
    expect(keys).toEqual(['input:input', 'step:one', 'checkpoint:unpaid:two', 'pause:1'])
    expect(reply).toMatchObject({ content: 'One. ', status: 'streaming' })
    expect(reply.blocks.at(-1)).toMatchObject({
      type: 'paused',
      reason: 'balance',
      checkpoint_name: 'llm_checkpoint',
    })
    await goOn(engine, await rowOf(run.id))
    const again = await rested(app, engine, run.id)
    expect(again.run).toMatchObject({ state: 'paused', paused_for: 'balance' })
    expect(again.keys.slice(4)).toEqual(['resume:2', 'pause:2'])
    await goOn(engine, await rowOf(run.id))
    expect((await rested(app, engine, run.id)).reply).toMatchObject({
      content: 'One. Two.',
      status: 'completed',
    })
  })

  it('pauses at the checkpoint it has just passed and names the budget', async () => {
    const passes: Work = (run) => run.checkpoint('after_step1', 'after_step')
    const { run, reply, keys } = await aPoor(() => new BudgetError(budget), 1, passes)
    expect(run).toMatchObject({ state: 'paused', paused_for: 'budget', paused_budget: budget.id })
    expect(keys.slice(-2)).toEqual(['checkpoint:after_step1', 'pause:1'])
    expect(reply.blocks.at(-1)).toMatchObject({
      ...{ type: 'paused', reason: 'budget', checkpoint_name: 'after_step1' },
      budget: { kind: 'company', period: 'day' },
    })
    const own = await aPoor(() => new BudgetError({ ...budget, kind: 'key', period: 'month', is_own: true }))
    expect(own.reply.blocks.at(-1)).toMatchObject({ budget: { kind: 'key', period: 'month', is_own: true } })
  })

  it('ends when the failure has another cause', async () => {
    const { run } = await aPoor(() => new AppError('rate_limited', 'Too much.'))
    expect(run).toMatchObject({ state: 'failed', error: { code: 'rate_limited', detail: 'Too much.' } })
  })
})
