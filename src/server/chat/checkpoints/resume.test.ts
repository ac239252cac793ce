import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { startHouse } from '#tests/house.ts'
import { readRun } from '#tests/runs.ts'
import { aStepsAgent, holdInSecondStep, scriptAgent } from '#tests/steps-agent.ts'

const steps = aStepsAgent(4)
let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  scriptAgent(chat.app, steps)
})
afterAll(() => chat.close())

const GOES_ON = { status: 200, body: { status: 'resumed', message: 'The task goes on.' } }
const NOTHING = { status: 409, body: { detail: 'No paused task to resume' } }

/** Returns a run paused after its second step. */
async function aPausedRun(by: Chat) {
  const sessionId = await by.aSession({ metadata: { agent_type: 'plan_and_act' } })
  const { gate, reached } = holdInSecondStep(steps)
  const stream = await by.ask(sessionId, 'Go')
  await reached.opened
  await by.call('POST', `/sessions/${sessionId}/pause`)
  await stream.until('agent_pause_requested')
  gate.open()
  await stream.ended
  steps.before = () => undefined
  return { sessionId, runId: stream.view()!.run_id }
}

const resume = (by: Chat, sessionId: string, body: object = {}) =>
  by.call('POST', `/sessions/${sessionId}/resume`, body)

describe('a resumed task', () => {
  it('cannot be resumed again, and another checkpoint is refused while it is active [CK-22]', async () => {
    const { sessionId, runId } = await aPausedRun(chat)
    const gate = aGate()
    steps.before = () => gate.opened
    expect(await resume(chat, sessionId)).toMatchObject(GOES_ON)
    expect((await readRun(chat.app, runId)).run.state).toBe('running')
    for (const checkpoint of [undefined, 'after_step1', `${runId}:after_step1`])
      expect(await resume(chat, sessionId, { checkpoint })).toMatchObject(GOES_ON)
    expect(await resume(chat, sessionId, { checkpoint: 'step1' })).toMatchObject({
      ...{ status: 409, body: { code: 'session_busy' } },
    })
    gate.open()
    await vi.waitFor(async () => expect((await readRun(chat.app, runId)).run.state).toBe('completed'), 10_000)
    expect((await readRun(chat.app, runId)).keys.filter((key) => key.startsWith('resume:'))).toHaveLength(1)
    expect(await resume(chat, sessionId)).toMatchObject(NOTHING)
  })

  it('is distinguished from a task that was never paused and from a chat without replies [CK-22]', async () => {
    const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    expect(await resume(chat, sessionId)).toMatchObject(NOTHING)
    const gate = aGate()
    steps.before = () => gate.opened
    const stream = await chat.ask(sessionId, 'Go')
    await stream.until('agent_step_started')
    expect(await resume(chat, sessionId)).toMatchObject(NOTHING)
    gate.open()
    await stream.ended
    expect(await resume(chat, sessionId)).toMatchObject(NOTHING)
  })

  it('from an older checkpoint becomes a reported new branch [CK-22]', async () => {
    const { sessionId, runId } = await aPausedRun(chat)
    const { body } = await resume(chat, sessionId, { checkpoint: `${runId}:step1` })
    expect(body).toEqual({
      ...{ status: 'resumed', message: 'The task goes on from that checkpoint, as a new branch.' },
    })
    const stream = await chat.follow(`/sessions/${sessionId}/task-stream`)
    await stream.ended
    expect(stream.view()?.run_id).not.toBe(runId)
  })
})

describe('a task queued for a worker', () => {
  it('is queued once and cannot be continued elsewhere meanwhile [CK-22]', async () => {
    const house = await startHouse({ workers: 1 })
    try {
      for (const app of [house.chat.app, ...house.workers]) scriptAgent(app, steps)
      const { sessionId, runId } = await aPausedRun(house.chat)
      await house.workers.pop()?.close()
      for (const _ of ['first', 'again']) {
        expect(await resume(house.chat, sessionId)).toMatchObject(GOES_ON)
        expect((await readRun(house.chat.app, runId)).run).toMatchObject({ state: 'queued', owner: null })
      }
      expect(await resume(house.chat, sessionId, { checkpoint: 'step1' })).toMatchObject(NOTHING)
    } finally {
      await house.close()
    }
  })
})
