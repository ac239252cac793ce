import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aBelief, aSession, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, type ModelRequest, type Move, says, thinks, waits } from '#tests/model-server.ts'
import { goBack, paidSteps, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  const now = new Date()
  chat = await startChat({ app: { clock: { now: () => now } } })
})
afterAll(() => chat.close())

const dividing = { metadata: { agent_type: 'orchestrator' } }
const userText = ({ messages }: ModelRequest) =>
  String(JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content))
const partOf = (request: ModelRequest) => Number(/<step number=\\?"(\d+)/.exec(userText(request))?.[1] ?? 0)
const hasResult = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'
type Planned = { description: string; assistant?: string; after?: number[] }
const parts = (...steps: Planned[]) => says(JSON.stringify({ steps }))
const calculate = calls('calculator', { a: 21, b: 2, operation: 'multiply' })

/** Responds by request: the division, a part, or the final answer. */
function script(divided: Move, by: Record<number, (request: ModelRequest) => Move[]> = {}) {
  return (request: ModelRequest) => {
    if (request.response_format) return [divided]
    const number = partOf(request)
    return number > 0 ? (by[number]?.(request) ?? [says(`Result ${number}.`)]) : [says('Together.')]
  }
}

const two = parts(
  { description: 'Find prices', assistant: 'Analyst' },
  { description: 'Find rules', assistant: 'General assistant' },
)
const chain = parts(
  { description: 'One', assistant: 'Analyst' },
  { description: 'Two', assistant: 'Analyst', after: [1] },
)

async function start(content = 'Divide it') {
  const id = await chat.aSession(dividing)
  return { id, stream: await chat.ask(id, content) }
}

async function ask(content?: string) {
  const { id, stream } = await start(content)
  await stream.ended
  const runId = stream.view()?.run_id ?? ''
  return { id, stream, runId, blocks: stream.view()?.blocks ?? [], whole: await readRun(chat.app, runId) }
}

const childrenOf = (runId: string) =>
  chat.app.deps.db
    .selectFrom('runs')
    .selectAll()
    .where('parent_run_id', '=', runId)
    .orderBy('created_at')
    .execute()

const recordsOf = (runId: string) =>
  chat.app.deps.db
    .selectFrom('run_records')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()

describe('orchestrator', () => {
  it('assigns parts to assistants, shows each as a step and merges the results [SE-14]', async () => {
    chat.model.always(script(two))
    const before = chat.model.requests.length
    const { runId, stream, blocks } = await ask()
    const requests = chat.model.requests.slice(before)
    expect(requests).toHaveLength(4)
    expect(JSON.stringify(requests.map(({ messages }) => messages[0]))).toContain('You work with figures.')
    expect(userText(requests[3]!)).toMatch(/Result 1\..*Result 2\./)
    expect(blocks.filter((block) => block.type === 'step')).toMatchObject([
      { number: 1, description: 'Analyst: Find prices', completed: true, message: 'Result 1.' },
      { number: 2, description: 'General assistant: Find rules', completed: true, message: 'Result 2.' },
    ])
    expect(stream.view()).toMatchObject({ content: 'Together.', status: 'completed' })
    const children = await childrenOf(runId)
    expect(children).toMatchObject([
      { state: 'completed', message_id: null, owner: null },
      { state: 'completed', message_id: null, owner: null },
    ])
  })

  it('passes the working memory to assistants, which do not see the conversation [SH-16]', async () => {
    const user = await aUser(chat.app, { workingMemory: true })
    const metadata = { agent_type: 'orchestrator' }
    const session = { modelName: 'compatible/scripted', turns: 1, metadata }
    const { id, messageIds } = await aSession(chat.app, user, session)
    await aBelief(chat.app, user, { messageId: messageIds[1] ?? '', facts: ['The budget is 900 EUR'] })
    chat.model.always(script(two))
    const before = chat.model.requests.length
    const stream = await openStream(`${chat.url}/sessions/${id}/messages`, {
      ...{ method: 'POST', headers: user.headers, body: { content: 'Divide it' } },
    })
    await stream.ended
    const told = chat.model.requests.slice(before).filter((request) => partOf(request) > 0)
    expect(told).toHaveLength(2)
    for (const request of told) expect(userText(request)).toContain('- The budget is 900 EUR')
  })

  it('adds checkpoints before and after parallel work and prefixes those of parts [SE-14, CK-07]', async () => {
    chat.model.always(script(two))
    const { runId, whole } = await ask()
    expect(whole.keys.filter((key) => key.startsWith('checkpoint:'))).toEqual([
      ...['checkpoint:llm_checkpoint_1', 'checkpoint:step0', 'checkpoint:after_step1'],
      ...['checkpoint:llm_checkpoint_2', 'checkpoint:completed'],
    ])
    const names = await Promise.all((await childrenOf(runId)).map(async ({ id }) => recordsOf(id)))
    const checkpoints = names.flat().flatMap(({ kind, key }) => (kind === 'checkpoint' ? [key] : []))
    expect(checkpoints.sort()).toEqual([
      ...['sub1.completed', 'sub1.llm_checkpoint_1', 'sub2.completed', 'sub2.llm_checkpoint_1'],
    ])
  })

  it('runs independent parts concurrently and passes results to dependent ones [SE-14]', async () => {
    const gate = aGate()
    const both = aGate()
    let under = 0
    const slow = () => {
      under += 1
      if (under === 2) both.open()
      return [says('Slow.'), waits(gate.opened)]
    }
    chat.model.always(script(two, { 1: slow, 2: slow }))
    const { stream } = await start()
    await both.opened
    gate.open()
    await stream.ended

    chat.model.always(script(chain))
    const before = chat.model.requests.length
    await ask()
    expect(userText(chat.model.requests[before + 2]!)).toContain('Result 1.')
  })

  it('streams the text of parts and shows their tools as cards in their steps [ST-07]', async () => {
    const gate = aGate()
    const first = (request: ModelRequest) =>
      hasResult(request) ? [says('It is ', '42, '), waits(gate.opened), says('surely.')] : [calculate]
    chat.model.always(script(two, { 1: first }))
    const { stream } = await start()
    await stream.until('agent_step_progress')
    const step = () => stream.view()?.blocks.find((block) => block.type === 'step')
    const shown = { number: 1, message: 'It is 42,', completed: false }
    await vi.waitFor(() => expect(step()).toMatchObject(shown), 10_000)
    expect(stream.view()?.blocks.find((block) => block.type === 'tool')).toMatchObject({
      step: 1,
      result: { result: 42 },
    })
    gate.open()
    await stream.ended
    expect(step()).toMatchObject({ message: 'It is 42, surely.', completed: true })
    expect(stream.view()?.content).toBe('Together.')
  })

  it('streams the thoughts of a part in its step and records them [BL-04, ST-32]', async () => {
    const gate = aGate()
    const thinking = (request: ModelRequest) =>
      hasResult(request)
        ? [thinks('So it is ', '42.'), waits(gate.opened), says('It is 42.')]
        : [thinks('A product, ', 'surely.'), says('Let me see.'), thinks('Or not?'), calculate]
    chat.model.always(script(two, { 1: thinking, 2: () => [thinks('Rules.'), says('None.')] }))
    const { stream } = await start()
    const thoughts = () =>
      (stream.view()?.blocks ?? []).flatMap((block) =>
        block.type === 'thinking' && block.step === 1 ? [[block.text, block.duration_ms !== null]] : [],
      )
    await expect.poll(thoughts).toEqual([
      ['A product, surely.', true],
      ['Or not?', true],
      ['So it is 42.', false],
    ])
    gate.open()
    await stream.ended
    const runId = stream.view()?.run_id ?? ''
    const whole = await readRun(chat.app, runId)
    expect(stream.view()?.blocks).toEqual(whole.reply.blocks)
    expect(whole.reply.content).toBe('Together.')
    // Committed work of the parts stays the same when the rest is replayed.
    await goBack(chat, runId, whole.keys.indexOf('checkpoint:after_step1'))
    expect((await resume(chat, runId)).reply.blocks).toEqual(whole.reply.blocks)
    for (let kept = 1; kept <= 4; kept++) {
      await goBack(chat, runId, whole.keys.indexOf('step:step1:start') + 1)
      for (const child of await childrenOf(runId)) await reopen(child.id, [], kept)
      expect((await resume(chat, runId)).reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
    }
  })

  it("absorbs the cost and text of a part's lost attempt [R-13]", async () => {
    const words = 'Eleven words that a part had written when it was lost. '
    const long = (request: ModelRequest) => (hasResult(request) ? [thinks('Hm. '), says(words)] : [calculate])
    chat.model.always(script(parts({ description: 'One', assistant: 'Analyst' }), { 1: long }))
    const { runId, whole } = await ask()
    const [child] = await childrenOf(runId)
    const journal = (await recordsOf(child!.id)).map(({ key }) => key)
    await goBack(chat, runId, whole.keys.indexOf('step:sub1'))
    await reopen(child!.id, [], journal.indexOf('sub1.model:2'))
    await chat.app.deps.engine.events.sentFrames.flush()
    await resume(chat, runId)
    const lost = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('user_id', '=', chat.user.id)
      .where('kind', '=', 'absorbed')
      .where('run_id', '=', child!.id)
      .execute()
    expect(lost).toMatchObject([{ step_key: 'sub1.model:2', attempt: 1, amount: 0, estimated: true }])
    expect(lost[0]?.output_tokens).toBeGreaterThan(11)
  })

  it('continues without a failed part and names it; fails when all parts fail [SE-14]', async () => {
    const fail = () => [{ do: 'fail' as const, status: 400, message: 'no' }]
    chat.model.always(script(two, { 1: fail }))
    const one = await ask()
    expect(one.blocks.filter((block) => block.type === 'step')).toMatchObject([
      { failed: true, completed: false },
      { completed: true },
    ])
    expect(userText(chat.model.requests.at(-1)!)).toContain('Failed:')
    expect(one.stream.view()?.status).toBe('completed')
    chat.model.always(script(two, { 1: fail, 2: fail }))
    const none = await ask()
    expect(none.stream.view()?.status).toBe('error')
  })

  it('works with the built-in model, part by part [SE-14]', async () => {
    const id = await chat.aSession({ ...dividing, modelName: 'atrium/offline' })
    const stream = await chat.ask(id, 'What is 21 * 2, then divide it by 4; what is 3 + 4')
    await stream.ended
    const tools = (stream.view()?.blocks ?? []).filter((block) => block.type === 'tool')
    expect(tools.map(({ step, result }) => [step, (result as { result: number }).result])).toEqual([
      [1, 42],
      [2, 10.5],
      [3, 7],
    ])
    expect(stream.view()?.content).toBe('- 21 × 2 = **42**.\n- 42 ÷ 4 = **10.5**.\n- 3 + 4 = **7**.')
  })

  it("shows a part's question in the session and passes the answer without repeating calls [R-13]", async () => {
    const plan = says(JSON.stringify({ steps: ['Prepare', 'Book'] }))
    const asking = (request: ModelRequest) => {
      if (request.response_format) return [plan]
      if (/Friday/.test(userText(request))) return [says('Booked.')]
      return [calls('ask_person', { prompt: 'Which day?' })]
    }
    chat.model.always((request) => {
      const isPart = userText(request).includes('You do one part')
      if (isPart && /<step number=\\?"1\\?">Travel/.test(userText(request))) return asking(request)
      if (request.response_format)
        return [
          parts(
            { description: 'Travel', assistant: 'Researcher' },
            { description: 'Rules', assistant: 'Analyst' },
          ),
        ]
      return isPart ? [says('The rules.')] : [says('Together.')]
    })
    const { id, runId, stream, whole } = await ask()
    expect(stream.events.at(-1)?.event).toMatchObject({
      ...{
        event: 'input_required',
        checkpoint_name: 'sub1.waiting_for_input_after_step0',
        prompt: 'Which day?',
      },
    })
    expect(whole.session.pending_input).toMatchObject({ prompt: 'Which day?' })
    expect((await childrenOf(runId)).map(({ state }) => state).sort()).toEqual(['completed', 'waiting'])
    const before = chat.model.requests.length
    const given = {
      checkpoint_name: 'sub1.waiting_for_input_after_step0',
      input: 'Friday',
      input_type: 'text',
    }
    expect(await chat.call('POST', `/sessions/${id}/provide-input`, given)).toMatchObject({ status: 200 })
    const followed = await chat.follow(`/sessions/${id}/task-stream`)
    await followed.ended
    expect(followed.view()).toMatchObject({ content: 'Together.', status: 'completed' })
    // The part resumes its step, does the next one and answers; then the parent answers.
    expect(chat.model.requests.length - before).toBe(4)
  })

  it('pauses its parts too, and repeats no call when it resumes [CK-21, CK-22]', async () => {
    const gate = aGate()
    const useTool = (request: ModelRequest) => (hasResult(request) ? [says('It is 42.')] : [calculate])
    chat.model.always(script(two, { 1: useTool, 2: () => [says('Long '), waits(gate.opened)] }))
    const before = chat.model.requests.length
    const { id, stream } = await start()
    // The second part is in the middle of its only call; the first is already at rest.
    await stream.until('agent_step_completed')
    expect(await chat.call('POST', `/sessions/${id}/pause`, {})).toMatchObject({ status: 200 })
    await stream.until('agent_pause_requested')
    gate.open()
    await stream.ended
    const paused = stream.events.at(-1)?.event
    const name = 'checkpoint_name' in paused! ? paused.checkpoint_name : ''
    expect(paused?.event).toBe('agent_task_paused')
    const resumed = await chat.call('POST', `/sessions/${id}/resume`, { checkpoint: name })
    expect(resumed).toMatchObject({ status: 200 })
    const followed = await chat.follow(`/sessions/${id}/task-stream`)
    await followed.ended
    expect(followed.view()).toMatchObject({ content: 'Together.', status: 'completed' })
    expect(chat.model.requests.length - before).toBe(5)
  })

  it('stops its parts too, and charges their usage once [SV-91]', async () => {
    const gate = aGate()
    chat.model.always(script(two, { 1: () => [says('Long '), waits(gate.opened)] }))
    const { id, stream } = await start()
    await stream.until('agent_step_completed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await chat.call('POST', `/sessions/${id}/stop`)
    await stream.ended
    gate.open()
    const runId = stream.view()?.run_id ?? ''
    expect((await readRun(chat.app, runId)).run.state).toBe('stopped')
    expect((await childrenOf(runId)).map(({ state }) => state).sort()).toEqual(['completed', 'stopped'])
    const paid = await paidSteps(chat, runId)
    expect(new Set(paid).size).toBe(paid.length)
    expect(paid).toContain('sub1.model:1')
  })

  it('produces the same message from every journal position, whatever its parts had done [R-13, SE-14]', async () => {
    const useTool = (request: ModelRequest) => (hasResult(request) ? [says('It is 42.')] : [calculate])
    chat.model.always(script(chain, { 1: useTool, 2: useTool }))
    const { runId, whole, stream } = await ask()
    expect(stream.view()).toMatchObject({ content: whole.reply.content, blocks: whole.reply.blocks })
    const paid = await paidSteps(chat, runId)
    expect(paid).toHaveLength(6)
    for (let kept = 1; kept < whole.records.length; kept++) {
      const committed = whole.keys.slice(0, kept)
      await goBack(chat, runId, kept)
      for (const child of await childrenOf(runId)) await reopen(child.id, committed)
      const before = chat.model.requests.length
      const replayed = await resume(chat, runId)
      expect(replayed.reply.content, `kept ${kept}`).toBe('Together.')
      expect(replayed.reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
      // Committed calls of the parts are not repeated.
      const own = (keys: string[]) => keys.filter((key) => /^step:model:/.test(key)).length
      expect(chat.model.requests.length - before, `calls after ${kept}`).toBe(2 - own(committed))
      expect(await paidSteps(chat, runId)).toEqual(paid)
    }
  })

  it("resumes a part from every position of the part's journal [R-13]", async () => {
    const useTool = (request: ModelRequest) => (hasResult(request) ? [says('It is 42.')] : [calculate])
    chat.model.always(script(parts({ description: 'One', assistant: 'Analyst' }), { 1: useTool }))
    const { runId, whole } = await ask()
    const [child] = await childrenOf(runId)
    const journal = await recordsOf(child!.id)
    const paid = await paidSteps(chat, runId)
    const at = whole.keys.indexOf('step:sub1')
    for (let kept = 1; kept < journal.length; kept++) {
      await goBack(chat, runId, at)
      await reopen(child!.id, [], kept)
      const before = chat.model.requests.length
      const replayed = await resume(chat, runId)
      expect(replayed.reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
      expect((await recordsOf(child!.id)).map(({ key }) => key)).toEqual(journal.map(({ key }) => key))
      const models = journal.slice(0, kept).filter(({ key }) => /model:\d$/.test(key) && key !== 'x').length
      expect(chat.model.requests.length - before, `calls after ${kept}`).toBe(3 - models)
      expect(await paidSteps(chat, runId)).toEqual(paid)
    }
  })

  /** Restores a part to before its parent recorded its end, with the first `kept` records. */
  async function reopen(childId: string, committed: string[], kept?: number) {
    const { db } = chat.app.deps
    const journal = await recordsOf(childId)
    const end = journal.find(({ kind }) => kind === 'end')
    const key = journal.find(({ kind }) => kind === 'checkpoint')?.key.split('.')[0]
    if (committed.includes(`step:${key}`)) return
    const from = kept ?? end?.position ?? journal.length
    await db.deleteFrom('run_records').where('run_id', '=', childId).where('position', '>=', from).execute()
    const keys = journal.filter(({ position }) => position < from).map((record) => record.key)
    await db
      .deleteFrom('ledger_entries')
      .where('run_id', '=', childId)
      .where('step_key', 'not in', keys)
      .execute()
    if (!keys.some((one) => one.endsWith('model:1')))
      await db.deleteFrom('tool_executions').where('run_id', '=', childId).execute()
    await db.updateTable('runs').set({ state: 'running' }).where('id', '=', childId).execute()
  }
})
