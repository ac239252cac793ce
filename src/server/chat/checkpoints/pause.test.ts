import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import type { OpenStream } from '#tests/event-stream.ts'
import { calls, says, waits } from '#tests/model-server.ts'
import { atRest, readRun } from '#tests/runs.ts'
import { aStepsAgent, holdInSecondStep, scriptAgent } from '#tests/steps-agent.ts'
import type { Agent } from '../../runs/runs/context/run-context.ts'
import { resumeRun } from '../../runs/runs/runs.ts'

const steps = aStepsAgent(4)
let chat: Chat
let other: TestApp
beforeAll(async () => {
  chat = await startChat()
  other = await startApp({ address: chat.app.address })
  scriptAgent(chat.app, steps)
  scriptAgent(other, steps)
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

/** Returns a run that stays in its second step until the gate opens. */
async function aHeldRun() {
  const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
  const { gate, reached } = holdInSecondStep(steps)
  const stream = await chat.ask(sessionId, 'Go')
  await reached.opened
  const { run_id: runId, message_id: messageId } = stream.view()!
  return { sessionId, runId, messageId, stream, gate }
}

async function aPausedRun() {
  const held = await aHeldRun()
  await chat.call('POST', `/sessions/${held.sessionId}/pause`)
  await held.stream.until('agent_pause_requested')
  held.gate.open()
  await held.stream.ended
  steps.before = () => undefined
  return held
}

const whole = (runId: string) =>
  [1, 2, 3, 4].map((part) => `Part ${part} of ${runId.slice(0, 4)}.\n`).join('')
const namesOf = (stream: OpenStream) => stream.wire.map(({ event }) => event)
const over = (app: TestApp, runId: string) => atRest(app.deps.engine, runId)
const resume = (sessionId: string, body: object = {}) =>
  chat.call('POST', `/sessions/${sessionId}/resume`, body)

describe('pausing a run', () => {
  it('takes effect at the next checkpoint and is recorded in the journal [CK-21, SV-31, G-65]', async () => {
    const { sessionId, runId, stream, gate } = await aHeldRun()
    const path = `/sessions/${sessionId}/pause`
    const answer = await chat.call('POST', path)
    expect(answer).toMatchObject({ status: 200, body: { status: 'pause_requested' } })
    expect(answer.body.message).toMatch(/next checkpoint/)
    await stream.until('agent_pause_requested')
    // A second request is harmless.
    expect((await chat.call('POST', path)).status).toBe(200)
    gate.open()
    await stream.ended
    expect(namesOf(stream).filter((name) => name === 'agent_pause_requested')).toHaveLength(1)
    expect(stream.wire.at(-1)).toMatchObject({ event: 'agent_task_paused' })
    expect(JSON.parse(stream.wire.at(-1)!.data)).toMatchObject({ checkpoint_name: 'after_step1' })
    const { run, keys, session, reply } = await readRun(chat.app, runId)
    expect(run).toMatchObject({ state: 'paused', owner: null, paused_for: 'request' })
    expect(keys.at(-1)).toBe('pause:1')
    expect(session).toMatchObject({ status: 'active', agent_status: 'paused', pending_input: null })
    expect(reply.blocks.at(-1)).toMatchObject({ type: 'paused', reason: 'request' })
    // A late reader folds the same view as an early one.
    const late = await chat.follow(`/sessions/${sessionId}/task-stream`)
    await late.ended
    expect(late.view()).toEqual(stream.view())
    expect(late.view()).toMatchObject({ status: 'paused' })
    // A run at rest stays as it is.
    expect((await chat.call('POST', path)).status).toBe(200)
    expect((await readRun(chat.app, runId)).keys.at(-1)).toBe('pause:1')
  })

  it('works from another process [CK-21]', async () => {
    const { sessionId, runId, stream, gate } = await aHeldRun()
    const url = `/api/v1/sessions/${sessionId}/pause`
    const { headers } = chat.user
    expect((await other.http.inject({ method: 'POST', url, headers })).statusCode).toBe(200)
    await stream.until('agent_pause_requested')
    gate.open()
    await stream.ended
    expect((await readRun(chat.app, runId)).run.state).toBe('paused')
  })

  it('has no effect when the run ends first, and is refused without a run [CK-21]', async () => {
    const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    const gate = aGate()
    const reached = aGate()
    steps.before = (_run, step) => {
      if (step === 3) reached.open()
      return step === 3 ? gate.opened : undefined
    }
    const { engine } = chat.app.deps
    const { agent } = steps
    // Removes the checkpoint after the last step.
    engine.agents.plan_and_act = {
      version: 1,
      run: (run) => agent.run({ ...run, checkpoint: async () => {} }),
    }
    const stream = await chat.ask(sessionId, 'Go')
    await reached.opened
    expect((await chat.call('POST', `/sessions/${sessionId}/pause`)).status).toBe(200)
    gate.open()
    await stream.ended
    engine.agents.plan_and_act = agent
    expect(namesOf(stream)).not.toContain('agent_task_paused')
    expect(stream.view()?.status).toBe('completed')
    const { run } = await readRun(chat.app, stream.view()!.run_id)
    expect(run).toMatchObject({ state: 'completed', pause_requested: false })
    expect(await chat.call('POST', `/sessions/${sessionId}/pause`)).toMatchObject({
      ...{ status: 409, body: { detail: 'No active task to pause' } },
    })
  })

  it('leaves a run that waits for a person alone [CK-21]', async () => {
    const { engine } = chat.app.deps
    engine.agents.plan_and_act = {
      version: 1,
      run: async (run) => void (await run.ask('waiting_for_input', { prompt: '?', input_types: ['text'] })),
    }
    const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    engine.agents.plan_and_act = steps.agent
    const before = await readRun(chat.app, stream.view()!.run_id)
    expect((await chat.call('POST', `/sessions/${sessionId}/pause`)).status).toBe(200)
    expect(await readRun(chat.app, stream.view()!.run_id)).toEqual(before)
    await chat.call('POST', `/sessions/${sessionId}/stop`)
  })

  it('does not prevent a stop, after which the run is no longer paused [SV-91]', async () => {
    const { sessionId, runId } = await aPausedRun()
    expect((await chat.call('POST', `/sessions/${sessionId}/stop`)).status).toBe(200)
    const { run, keys, session, reply } = await readRun(chat.app, runId)
    expect(run.state).toBe('stopped')
    expect(keys.slice(-2)).toEqual(['pause:1', 'end:end'])
    expect(session).toMatchObject({ status: 'COMPLETED', agent_status: 'completed' })
    expect(reply.blocks.map(({ type }) => type)).not.toContain('paused')
  })
})

describe('resuming a run', () => {
  it('continues at the latest checkpoint without repeating work [CK-22, SV-30]', async () => {
    const { sessionId, runId } = await aPausedRun()
    const events = await chat.follow(`/sessions/${sessionId}/events`)
    await events.until('connection_established')
    const answer = await resume(sessionId, { checkpoint: 'after_step1', agent_type: 'plan_and_act' })
    expect(answer).toMatchObject({ status: 200, body: { status: 'resumed' } })
    await events.until('agent_processing_complete')
    await over(chat.app, runId)
    expect(namesOf(events)).toContain('agent_task_resumed')
    events.leave()
    const { run, keys, reply, session } = await readRun(chat.app, runId)
    expect(run).toMatchObject({ state: 'completed', attempt: 2, paused_for: null })
    expect(reply).toMatchObject({ content: whole(runId), status: 'completed' })
    expect(reply.blocks.map(({ type }) => type)).not.toContain('paused')
    expect(keys.slice(6, 9)).toEqual(['checkpoint:after_step1', 'pause:1', 'resume:2'])
    expect(session.active_leaf).toBe(reply.id)
    for (const at of [0, 1, 2, 3]) expect(steps.ran.get(`${runId} work:${at}`)).toBe(1)
  })

  it('forks from an older checkpoint and ends the paused run with its partial text [CK-22]', async () => {
    const { sessionId, runId, messageId } = await aPausedRun()
    const answer = await resume(sessionId, { checkpoint: 'step1' })
    expect(answer.status).toBe(200)
    const stream = await chat.follow(`/sessions/${sessionId}/task-stream`)
    await stream.ended
    const view = stream.view()!
    expect(view.run_id).not.toBe(runId)
    const [old, own] = [runId.slice(0, 4), view.run_id.slice(0, 4)]
    expect(view.content).toBe([old, own, own, own].map((name, at) => `Part ${at + 1} of ${name}.\n`).join(''))
    const paused = await readRun(chat.app, runId)
    expect(paused.run).toMatchObject({ state: 'stopped', owner: null })
    expect(paused.keys.at(-1)).toBe('end:end')
    expect(paused.reply).toMatchObject({
      ...{ id: messageId, status: 'completed', content: `Part 1 of ${old}.\nPart 2 of ${old}.\n` },
    })
    const { reply } = await readRun(chat.app, view.run_id)
    expect(reply).toMatchObject({ status: 'completed', parent_id: paused.reply.parent_id })
  })

  it('creates one run for two concurrent requests, on any process [CK-22]', async () => {
    const { sessionId, runId } = await aPausedRun()
    const url = `/api/v1/sessions/${sessionId}/resume`
    const ask = {
      method: 'POST',
      url,
      headers: chat.user.headers,
      payload: { checkpoint: 'after_step1' },
    } as const
    const gate = aGate()
    steps.before = () => gate.opened
    const answers = await Promise.all([
      chat.app.http.inject(ask),
      other.http.inject(ask),
      chat.app.http.inject(ask),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect((await readRun(chat.app, runId)).run.state).toBe('running')
    gate.open()
    await until(async () => (await readRun(chat.app, runId)).run.state === 'completed')
    const { run, keys, reply } = await readRun(chat.app, runId)
    expect(run).toMatchObject({ state: 'completed', attempt: 2 })
    expect(keys.filter((key) => key.startsWith('resume:'))).toEqual(['resume:2'])
    expect(reply.content).toBe(whole(runId))
    const runs = await chat.app.deps.db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', sessionId)
      .execute()
    expect(runs).toHaveLength(1)
  })

  it('creates one branch for two concurrent requests from an older checkpoint [CK-22]', async () => {
    const { sessionId } = await aPausedRun()
    const answers = await Promise.all([
      resume(sessionId, { checkpoint: 'step1' }),
      resume(sessionId, { checkpoint: 'step1' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const stream = await chat.follow(`/sessions/${sessionId}/task-stream`)
    await stream.ended
    const runs = await chat.app.deps.db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', sessionId)
      .execute()
    expect(runs).toHaveLength(2)
  })

  it('works after a server restart [CK-23, R-13]', async () => {
    const { sessionId, runId } = await aPausedRun()
    const restarted = await startApp({ address: chat.app.address })
    try {
      scriptAgent(restarted, steps)
      // No process resumes it without a request.
      await new Promise((resolve) => setTimeout(resolve, 1300))
      expect((await readRun(chat.app, runId)).run.state).toBe('paused')
      const url = `/api/v1/sessions/${sessionId}/resume`
      const { headers } = chat.user
      const payload = { checkpoint: `${runId}:after_step1`, agent_type: 'plan_and_act' }
      const answer = await restarted.http.inject({ method: 'POST', url, headers, payload })
      expect(answer.statusCode).toBe(200)
      await over(restarted, runId)
      const { run, reply } = await readRun(chat.app, runId)
      expect(run.state).toBe('completed')
      expect(reply.content).toBe(whole(runId))
    } finally {
      await restarted.close()
    }
  })

  it('reports what cannot be resumed [CK-22]', async () => {
    const { sessionId, runId } = await aPausedRun()
    expect(await resume(sessionId, { checkpoint: 'nowhere' })).toMatchObject({ status: 404 })
    expect(await resume(sessionId, { agent_type: 'multi_turn' })).toMatchObject({ status: 409 })
    expect(await resume(sessionId)).toMatchObject({ status: 200 })
    await over(chat.app, runId)
    expect(await resume(sessionId)).toMatchObject({
      ...{ status: 409, body: { detail: 'No paused task to resume' } },
    })
  })
})

describe('a used-up balance', () => {
  it('pauses the run at a checkpoint, and a top-up resumes it automatically [CK-21, R-13]', async () => {
    const paid = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } } })
    const { db } = paid.app.deps
    const book = (amount: number) =>
      db.insertInto('ledger_entries').values({ user_id: paid.user.id, kind: 'top_up', amount }).execute()
    try {
      await book(1)
      const sessionId = await paid.aSession()
      const gate = aGate()
      const multiply = { a: 6, b: 7, operation: 'multiply' }
      paid.model.reply(
        [says('First. '), calls('calculator', multiply), waits(gate.opened)],
        [says('It is 42.')],
      )
      const stream = await paid.ask(sessionId, 'Hi')
      await stream.until('response_chunk')
      await book(-2)
      gate.open()
      await stream.ended
      expect(paid.model.requests).toHaveLength(1)
      expect(stream.view()).toMatchObject({ content: 'First. ', status: 'paused' })
      expect(stream.view()?.blocks.at(-1)).toMatchObject({ type: 'paused', reason: 'balance' })
      const runId = stream.view()!.run_id
      const rested = await readRun(paid.app, runId)
      expect(rested.run).toMatchObject({ state: 'paused', paused_for: 'balance', owner: null })
      expect(rested.session).toMatchObject({ status: 'active', agent_status: 'paused' })
      expect(rested.keys.slice(-2)).toEqual(['checkpoint:llm_checkpoint_2', 'pause:1'])
      // Without funds, neither a message nor a manual resume continues.
      for (const path of ['messages', 'resume']) {
        const refused = await paid.call('POST', `/sessions/${sessionId}/${path}`, { content: 'Hi' })
        expect(refused, path).toMatchObject({
          ...{ status: 402, body: { detail: 'Insufficient balance. Please top up to continue.' } },
        })
      }
      await new Promise((resolve) => setTimeout(resolve, 1300))
      expect((await readRun(paid.app, runId)).run.state).toBe('paused')
      await book(5)
      await until(async () => (await readRun(paid.app, runId)).run.state === 'completed')
      const done = await readRun(paid.app, runId)
      expect(done.reply).toMatchObject({ content: 'First. \n\nIt is 42.', status: 'completed' })
      expect(done.keys).toContain('resume:2')
      expect(paid.model.requests).toHaveLength(2)
    } finally {
      await paid.close()
    }
  })
})

describe('a step that cannot be paid for', () => {
  it('adds one checkpoint if there is none, however often the step is tried [CK-21]', async () => {
    const { engine } = chat.app.deps
    let isPaid = false
    const agent: Agent = {
      version: 1,
      run: async (run) => {
        await run.step('free', async () => 1)
        await run.step('paid', async (leaf) => {
          if (!isPaid) throw new AppError('insufficient_balance', 'Nothing is left.')
          leaf.emit({ event: 'response_chunk', content: 'Paid.' })
        })
      },
    }
    // Billing is off here, so both processes retry on their own.
    const engines = [engine, other.deps.engine]
    for (const one of engines) one.agents.plan_and_act = agent
    const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const runId = stream.view()!.run_id
    const goesOn = async () => {
      await resumeRun(engine, runId)
      await over(chat.app, runId)
      return (await readRun(chat.app, runId)).keys
    }
    await goesOn()
    isPaid = true
    await goesOn()
    await until(async () => (await readRun(chat.app, runId)).run.state === 'completed')
    for (const one of engines) one.agents.plan_and_act = steps.agent
    const { keys, reply } = await readRun(chat.app, runId)
    expect(reply.content).toBe('Paid.')
    expect(keys.filter((key) => key.startsWith('checkpoint:'))).toEqual(['checkpoint:unpaid:paid'])
    expect(reply.blocks[0]).toMatchObject({ type: 'checkpoint', checkpoint_name: 'llm_checkpoint' })
  })
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it did not come true within 5 s')
}
