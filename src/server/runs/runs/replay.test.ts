import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, type ModelRequest, says, thinks } from '#tests/model-server.ts'
import { goBack, paidSteps, resume } from '#tests/replays.ts'
import { started, tool } from '#tests/run-events.ts'
import { readRun } from '#tests/runs.ts'
import { executionId } from './execution-id.ts'
import { inheritRecords, mergeInput } from './inherit.ts'
import type { JournalRecord } from './journal/journal-record.ts'

/** Three model calls: two parallel tools, one failing tool, then the answer. */
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
  it('produces the same message from every position at which the process can die [R-13]', async () => {
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

  it('produces the same message for single_turn with a chosen tool from every position [R-13, SE-14]', async () => {
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

  it('books a lost attempt as absorbed, including its partial text [R-13]', async () => {
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

let position = 0
const record = (kind: JournalRecord['kind'], key: string, events: RunEvent[] = []): JournalRecord => ({
  ...{ position: position++, epoch: 1, kind, key, value: null, events },
})
const keysOf = (records: readonly JournalRecord[]) => records.map(({ kind, key }) => `${kind}:${key}`)

describe('the records that a fork inherits', () => {
  it('contain finished work and nothing unfinished [CK-03]', () => {
    const journal = [
      ...[record('input', 'input'), record('checkpoint', 'step1'), record('ask', 'a'), record('answer', 'a')],
      ...[record('ask', 'b'), record('pause', '1'), record('resume', '2'), record('started', 'call#1')],
      ...[record('step', 'call'), record('started', 'call#12'), record('started', 'other')],
      ...[record('started', 'x#y'), record('step', 'x'), record('end', 'end')],
    ]
    expect(keysOf(inheritRecords(journal, 'fork').records)).toEqual([
      ...['input:input', 'checkpoint:step1', 'ask:a', 'answer:a', 'started:call#1', 'step:call'],
      ...['started:call#12', 'step:x'],
    ])
  })

  it('give calls without a result new ids [CK-03]', () => {
    const ids = ['open-1', 'done-1', 'failed-1', 'broken-1']
    const [open = '', done = '', failed = '', broken = ''] = ids
    const said = [
      ...[started, tool({ status: 'pending' }, open), tool({ status: 'complete' }, done)],
      ...[tool({ status: 'failed' }, failed), tool({ status: 'error' }, broken)],
    ]
    const { records, calls } = inheritRecords([record('input', 'input', said)], 'fork')
    expect([...calls]).toEqual([[open, executionId('fork', open)]])
    const text = JSON.stringify(records)
    expect(text).not.toContain(open)
    for (const kept of [done, failed, broken, executionId('fork', open)]) expect(text).toContain(kept)
    const whole = [record('input', 'input', [started, tool({ status: 'complete' }, done)])]
    expect(inheritRecords(whole, 'fork')).toEqual({ records: whole, calls: new Map() })
  })

  it("include the input of the origin, merged with the fork's own [CK-03]", () => {
    const origin = { ...record('input', 'input'), value: { a: 1, message_id: 'old' } }
    const own = { ...record('input', 'input'), value: { message_id: 'new' } }
    expect(mergeInput(origin, own)).toEqual({ ...own, value: { a: 1, message_id: 'new' } })
    expect(mergeInput(undefined, own)).toEqual(own)
  })
})

describe('executionId', () => {
  it('returns the same version 8 UUID for the same call of a run', () => {
    const id = executionId('run', 'call')
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(executionId('run', 'call')).toBe(id)
    const others = [executionId('run', 'other'), executionId('other', 'call'), executionId('runcall', '')]
    expect(new Set([id, ...others]).size).toBe(4)
    for (let n = 0; n < 50; n += 1) expect(executionId('run', `${n}`)).toMatch(/^.{14}8.{4}[89ab]/)
  })
})
