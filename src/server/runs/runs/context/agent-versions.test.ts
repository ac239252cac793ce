import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askUntilWaiting, readOn, say } from '#tests/asking.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { readRun } from '#tests/runs.ts'
import type { Agent } from './run-context.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

/** Asks between two lines. The versions use different keys, so neither can read the other's journal. */
const works =
  (name: string): Agent['run'] =>
  async (run) => {
    await say(run, `${name}:before`, `${name} asks. `)
    const { input } = await run.ask('day', { prompt: 'Which day?', input_types: ['text'] })
    await say(run, `${name}:after`, `${name} heard ${input}.`)
  }

const [first, second] = [works('first'), works('second')]
const install = (agent: Agent) => {
  chat.app.deps.engine.agents.multi_turn = agent
}
const latest = { version: 2, run: second, earlier: { 1: first } }

/** Returns a session whose run of version 1 waits for an answer. */
async function aWaitingRun(): Promise<string> {
  install({ version: 1, run: first })
  return askUntilWaiting(chat)
}

async function answer(sessionId: string) {
  const given = { checkpoint_name: 'waiting_for_input_day', input: 'Friday', input_type: 'text' }
  expect((await chat.call('POST', `/sessions/${sessionId}/provide-input`, given)).status).toBe(200)
  const view = (await readOn(chat, sessionId)).view()!
  return { view, ...(await readRun(chat.app, view.run_id)) }
}

async function returnTo(sessionId: string, message_id: string) {
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: chat.user.headers },
    body: { checkpoint_name: 'waiting_for_input_day', message_id },
  })
  await stream.ended
  return readRun(chat.app, stream.view()!.run_id)
}

describe('an agent with two versions', () => {
  it('resumes a run in the version it started with, while new runs use the newest', async () => {
    const sessionId = await aWaitingRun()
    install(latest)
    const { run, reply } = await answer(sessionId)
    expect(run).toMatchObject({ state: 'completed', agent_version: 1 })
    expect(reply.content).toBe('first asks. first heard Friday.')
    const fresh = await answer(await askUntilWaiting(chat))
    expect(fresh.run).toMatchObject({ state: 'completed', agent_version: 2 })
    expect(fresh.reply.content).toBe('second asks. second heard Friday.')
  })

  it('continues from a checkpoint in the version that wrote it', async () => {
    const sessionId = await aWaitingRun()
    const { view } = await answer(sessionId)
    install(latest)
    const fork = await returnTo(sessionId, view.message_id)
    expect(fork.run).toMatchObject({ state: 'waiting', agent_version: 1 })
    const { reply, run } = await answer(sessionId)
    expect([run.id, reply.content]).toEqual([fork.run.id, 'first asks. first heard Friday.'])
  })

  it('resumes a sub-run in the version the sub-run started with', async () => {
    const { agents } = chat.app.deps.engine
    const before = agents.plan_and_act
    install({ version: 1, run: first })
    agents.plan_and_act = {
      version: 1,
      run: async (run) => {
        const input = { agent_type: 'multi_turn' as const, task: 'Ask' }
        const { text } = await run.child('sub1', { number: 1, input })
        await say(run, 'told', `It said: ${text}`)
      },
    }
    const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    await (await chat.ask(sessionId, 'Go')).ended
    install(latest)
    const given = { checkpoint_name: 'waiting_for_input_sub1.day', input: 'Friday', input_type: 'text' }
    await chat.call('POST', `/sessions/${sessionId}/provide-input`, given)
    const view = (await readOn(chat, sessionId)).view()
    agents.plan_and_act = before
    expect(view?.content).toBe('It said: first asks. first heard Friday.')
  })

  it('ends a run of a removed version, whose last checkpoint stays available to return to', async () => {
    const sessionId = await aWaitingRun()
    install({ version: 2, run: second })
    const { run, reply, view } = await answer(sessionId)
    expect(run).toMatchObject({ state: 'failed', error: { code: 'not_available' } })
    const errors = reply.blocks.filter(({ type }) => type === 'error')
    expect(errors).toMatchObject([{ error: expect.stringContaining('Return to its last checkpoint') }])
    const fork = await returnTo(sessionId, view.message_id)
    expect(fork.run).toMatchObject({ state: 'waiting', agent_version: 2 })
    expect((await answer(sessionId)).run.state).toBe('completed')
  })
})
