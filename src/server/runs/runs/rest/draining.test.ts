import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anAnsweredPlan, type Chat, startChat } from '#tests/chat.ts'
import { aStepsAgent, scriptAgent } from '#tests/steps-agent.ts'
import { resumeRun, startStandalone } from '../hold.ts'

const steps = aStepsAgent(2)
let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  scriptAgent(chat.app, steps)
})
afterAll(() => chat.close())

const restarting = 'The server is restarting. Try again in a moment.'

it('refuses to fork a reply whose agent type was removed [CK-03]', async () => {
  const { sessionId, messageId } = await anAnsweredPlan(chat)
  const { agents } = chat.app.deps.engine
  delete agents.plan_and_act
  const back = () =>
    chat.call('POST', `/sessions/${sessionId}/navigate-to-checkpoint`, {
      ...{ checkpoint_name: 'step1', message_id: messageId },
    })
  expect(await back()).toMatchObject({
    status: 422,
    body: {
      code: 'not_available',
      detail: 'The agent type plan_and_act is not available on this server.',
    },
  })
  const branch = await chat.call('GET', `/sessions/${sessionId}/active-branch`)
  expect(branch.body.active_branch).toHaveLength(2)
  scriptAgent(chat.app, steps)
})

it('starts and resumes nothing in a process that is stopping [R-13]', async () => {
  const { sessionId, messageId, runId } = await anAnsweredPlan(chat)
  const { engine } = chat.app.deps
  engine.isDraining = true
  try {
    const refused = { status: 503, body: { code: 'unavailable', detail: restarting } }
    expect(await chat.call('POST', '/messages', { content: 'Hi', chat_session_id: sessionId })).toMatchObject(
      refused,
    )
    expect(
      await chat.call('POST', `/sessions/${sessionId}/navigate-to-checkpoint`, {
        ...{ checkpoint_name: 'step1', message_id: messageId },
      }),
    ).toMatchObject(refused)
    await expect(startStandalone(engine, {} as never, async () => [])).rejects.toThrow(restarting)
    expect(await resumeRun(engine, runId, ['completed'])).toBeNull()
    const branch = await chat.call('GET', `/sessions/${sessionId}/active-branch`)
    expect(branch.body.active_branch).toHaveLength(2)
  } finally {
    engine.isDraining = false
  }
})

it('refuses to resume a run that is owned, being claimed, unknown or over [R-13]', async () => {
  const { engine } = chat.app.deps
  const { runId } = await anAnsweredPlan(chat)
  expect(await resumeRun(engine, randomUUID())).toBeNull()
  expect(await resumeRun(engine, runId)).toBeNull()
  engine.claiming.add(runId)
  expect(await resumeRun(engine, runId, ['completed'])).toBeNull()
  expect(engine.claiming.has(runId)).toBe(true)
  engine.claiming.delete(runId)
})
