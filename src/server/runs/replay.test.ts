import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { calls, type ModelRequest, says, thinks } from '../../../tests/support/model-server.ts'
import { goBack, paidSteps, resume } from '../../../tests/support/replays.ts'
import { readRun } from '../../../tests/support/runs.ts'

/** Three model calls: two tools beside each other, one that fails, then the answer. */
const script = ({ messages }: ModelRequest) => {
  const results = messages.filter(({ role }) => role === 'tool').length
  if (results === 0) {
    return [
      says('Let me ', 'calculate. '),
      calls('calculator', { a: 21, b: 2, operation: 'multiply' }),
      calls('calculator', { a: 1, b: 3, operation: 'divide' }),
    ]
  }
  if (results === 2)
    return [thinks('Hm, ', 'what if…'), calls('calculator', { a: 1, b: 0, operation: 'divide' })]
  return [says('It is ', '**42**, ', 'and zero ', 'divides nothing. 😀')]
}

let chat: Chat
beforeAll(async () => {
  const now = new Date()
  chat = await startChat({ app: { clock: { now: () => now } } })
  chat.model.always(script)
})
afterAll(() => chat.close())

async function finishedRun() {
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'What is 21 * 2?')
  await stream.ended
  const runId = stream.view()?.run_id ?? ''
  return { runId, stream, whole: await readRun(chat.app, runId) }
}

describe('a replay', () => {
  it('R-13 gives the same message whatever was committed when the process died', async () => {
    const { runId, whole, stream } = await finishedRun()
    expect(whole.keys.map((key) => key.replace(/call_\d/g, 'call'))).toEqual([
      'input:input',
      'checkpoint:llm_checkpoint_1',
      'step:model:1',
      'step:tool:model:1/call_calculator',
      'step:tool:model:1/call_calculator',
      'checkpoint:llm_checkpoint_2',
      'step:model:2',
      'step:tool:model:2/call_calculator',
      'checkpoint:llm_checkpoint_3',
      'step:model:3',
      'checkpoint:completed',
      'end:end',
    ])
    expect(whole.reply.content).toContain('😀')
    expect(stream.view()).toMatchObject({ content: whole.reply.content, blocks: whole.reply.blocks })
    for (let kept = 1; kept < whole.records.length; kept++) {
      await goBack(chat, runId, kept)
      const before = chat.model.requests.length
      const replayed = await resume(chat, runId)
      expect(replayed.run.state, `kept ${kept}`).toBe('completed')
      expect(replayed.reply.content, `kept ${kept}`).toBe(whole.reply.content)
      expect(replayed.reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
      const committed = whole.keys.slice(0, kept).filter((key) => key.startsWith('step:model')).length
      expect(chat.model.requests.length - before, `model calls after ${kept}`).toBe(3 - committed)
      expect(await paidSteps(chat, runId), `bills after ${kept}`).toEqual(['model:1', 'model:2', 'model:3'])
    }
  })

  it('R-13 SE-14 single_turn with a chosen tool gives the same message from every position', async () => {
    chat.model.always(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? [says('It is 42.')]
        : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
    )
    const sessionId = await chat.aSession({ metadata: { agent_type: 'single_turn' } })
    const stream = await chat.ask(sessionId, { content: 'Compute', tool_choice: 'calculator' })
    await stream.ended
    const runId = stream.view()?.run_id ?? ''
    const whole = await readRun(chat.app, runId)
    for (let kept = 1; kept < whole.records.length; kept++) {
      await goBack(chat, runId, kept)
      const before = chat.model.requests.length
      const replayed = await resume(chat, runId)
      expect(replayed.reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
      expect(replayed.keys, `kept ${kept}`).toEqual(whole.keys)
      const committed = whole.keys.slice(0, kept).filter((key) => key.startsWith('step:model')).length
      expect(chat.model.requests.length - before, `kept ${kept}`).toBe(2 - committed)
      expect(await paidSteps(chat, runId)).toEqual(['model:1', 'model:2'])
    }
    chat.model.always(script)
  })

  it('R-13 books an attempt that was lost as absorbed, with what it had sent', async () => {
    const { runId, whole } = await finishedRun()
    await goBack(chat, runId, whole.keys.indexOf('step:model:3'))
    await chat.app.deps.engine.events.sentFrames.flush()
    await resume(chat, runId)
    const lost = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('run_id', '=', runId)
      .where('kind', '=', 'absorbed')
      .execute()
    expect(lost).toMatchObject([{ step_key: 'model:3', attempt: 1, amount: 0, estimated: true }])
    expect(lost[0]?.output_tokens).toBeGreaterThan(5)
  })
})
