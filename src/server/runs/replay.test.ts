import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { calls, type ModelRequest, says, thinks } from '../../../tests/support/model-server.ts'
import { atRest, readRun } from '../../../tests/support/runs.ts'
import { resumeRun } from './engine.ts'
import { getRuns } from './runs.ts'

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
  return { sessionId, runId, stream, whole: await readRun(chat.app, runId) }
}

/** Makes the database what it was right after the first `kept` records. */
async function goBack(runId: string, sessionId: string, kept: number) {
  const { db } = chat.app.deps
  await db.deleteFrom('run_records').where('run_id', '=', runId).where('position', '>=', kept).execute()
  const { records } = await readRun(chat.app, runId)
  const keys = records.map(({ key }) => key)
  await db
    .deleteFrom('ledger_entries')
    .where('run_id', '=', runId)
    .where('step_key', 'not in', keys)
    .execute()
  const announced = records.flatMap(({ key, value }) =>
    /^model:\d+$/.test(key) ? (value as { value: { calls: { execution_id: string }[] } }).value.calls : [],
  )
  await db
    .deleteFrom('tool_executions')
    .where('run_id', '=', runId)
    .where('id', 'not in', announced.map(({ execution_id }) => execution_id).concat(runId))
    .execute()
  await db.updateTable('runs').set({ state: 'running', owner: null }).where('id', '=', runId).execute()
  await db
    .updateTable('messages')
    .set({ content: '', blocks: '[]', status: 'streaming' })
    .where('session_id', '=', sessionId)
    .where('role', '=', 'assistant')
    .execute()
}

describe('a replay', () => {
  it('R-13 gives the same message whatever was committed when the process died', async () => {
    const { runId, sessionId, whole, stream } = await finishedRun()
    expect(whole.keys.map((key) => key.replace(/call_\d/g, 'call'))).toEqual([
      'input:input',
      'step:model:1',
      'step:tool:model:1/call_calculator',
      'step:tool:model:1/call_calculator',
      'step:model:2',
      'step:tool:model:2/call_calculator',
      'step:model:3',
      'end:end',
    ])
    expect(whole.reply.content).toContain('😀')
    expect(stream.view()).toMatchObject({ content: whole.reply.content, blocks: whole.reply.blocks })
    const { engine } = getRuns(chat.app.deps)
    for (let kept = 1; kept < whole.records.length; kept++) {
      await goBack(runId, sessionId, kept)
      const before = chat.model.requests.length
      await resumeRun(engine, runId)
      await atRest(engine, runId)
      const replayed = await readRun(chat.app, runId)
      expect(replayed.run.state, `kept ${kept}`).toBe('completed')
      expect(replayed.reply.content, `kept ${kept}`).toBe(whole.reply.content)
      expect(replayed.reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
      const committed = whole.keys.slice(0, kept).filter((key) => key.startsWith('step:model')).length
      expect(chat.model.requests.length - before, `model calls after ${kept}`).toBe(3 - committed)
      const billed = await chat.app.deps.db
        .selectFrom('ledger_entries')
        .select('step_key')
        .where('run_id', '=', runId)
        .where('kind', '=', 'usage')
        .orderBy('step_key')
        .execute()
      expect(
        billed.map(({ step_key }) => step_key),
        `bills after ${kept}`,
      ).toEqual(['model:1', 'model:2', 'model:3'])
    }
  })

  it('R-13 books an attempt that was lost as absorbed, with what it had sent', async () => {
    const { runId, sessionId } = await finishedRun()
    await goBack(runId, sessionId, 6)
    const { engine } = getRuns(chat.app.deps)
    await engine.outbox.flush()
    await resumeRun(engine, runId)
    await atRest(engine, runId)
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
