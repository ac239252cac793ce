import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, type ModelRequest, type Move, says, thinks } from '#tests/model-server.ts'
import { goBack, paidSteps, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  const now = new Date()
  chat = await startChat({ app: { clock: { now: () => now } } })
})
afterAll(() => chat.close())

const planning = { metadata: { agent_type: 'plan_and_act' } }
const lastText = ({ messages }: ModelRequest) =>
  JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content)
const stepOf = (request: ModelRequest) => Number(/<step number=\\?"(\d+)/.exec(lastText(request))?.[1] ?? 0)
const hasResult = ({ messages }: ModelRequest) => messages.at(-1)?.role === 'tool'
const plan = (...steps: (string | object)[]) =>
  says(
    JSON.stringify({ steps: steps.map((step) => (typeof step === 'string' ? { description: step } : step)) }),
  )

/** Responds by request: the plan, a step, or the final answer. */
function script(
  planned: Move,
  steps: Record<number, (request: ModelRequest) => Move[]>,
  answer = 'All done.',
) {
  return (request: ModelRequest) => {
    if (request.response_format) return [planned]
    const number = stepOf(request)
    return number > 0 ? (steps[number]?.(request) ?? [says(`Did ${number}.`)]) : [says(answer)]
  }
}

async function ask(content: string) {
  const id = await chat.aSession(planning)
  const stream = await chat.ask(id, content)
  await stream.ended
  const runId = stream.view()?.run_id ?? ''
  const names = stream.wire.map(({ event }) => event)
  return {
    id,
    stream,
    runId,
    names,
    blocks: stream.view()?.blocks ?? [],
    whole: await readRun(chat.app, runId),
  }
}

const useCalculator = (request: ModelRequest) =>
  hasResult(request)
    ? [says('It is 42.')]
    : [thinks('A product.'), calls('calculator', { a: 21, b: 2, operation: 'multiply' })]

describe('plan_and_act', () => {
  it('plans, executes the steps with tools, passes results on and answers from them [SE-14, ST-07, BL-01]', async () => {
    chat.model.always(script(plan('Multiply', 'Explain'), { 1: useCalculator }))
    const before = chat.model.requests.length
    const { stream, blocks, names, whole } = await ask('Multiply, then explain')
    expect(whole.session.preview).toBe('All done.')
    const requests = chat.model.requests.slice(before)
    expect(requests).toHaveLength(5)
    expect(lastText(requests[3]!)).toContain('It is 42.')
    expect(lastText(requests[4]!)).toMatch(/It is 42\..*Did 2\./)
    const steps = blocks.filter((block) => block.type === 'step')
    expect(steps).toMatchObject([
      { number: 1, description: 'Multiply', completed: true, single_step: false },
      { number: 2, description: 'Explain', completed: true, message: null },
    ])
    expect(steps[0]?.message).toBe('Used: Calculator')
    expect(blocks.find((block) => block.type === 'tool')).toMatchObject({ step: 1, status: 'complete' })
    expect(blocks.find((block) => block.type === 'thinking')).toMatchObject({ step: 1 })
    expect(blocks.at(-2)).toMatchObject({ type: 'text', text: '\n\nAll done.' })
    expect(stream.view()).toMatchObject({ content: 'It is 42.\n\nDid 2.\n\nAll done.', status: 'completed' })
    expect(names.filter((name) => name.startsWith('agent_step'))).toEqual([
      ...['agent_step_started', 'agent_step_progress', 'agent_step_completed'],
      ...['agent_step_started', 'agent_step_completed'],
    ])
  })

  it('reports the progress and the remaining steps [ST-08]', async () => {
    chat.model.always(script(plan('One', 'Two', 'Three'), {}))
    const { stream } = await ask('Three things')
    const told = stream.events.flatMap(({ event }) => (event.event === 'agent_progress' ? [event] : []))
    expect(told.map(({ progress, step_name }) => [progress, step_name])).toEqual([
      [0, 'Planning'],
      [0, 'One'],
      [33, 'Two'],
      [67, 'Three'],
      [100, 'Writing the answer'],
    ])
    expect(told[1]?.planned).toEqual([
      { number: 2, description: 'Two' },
      { number: 3, description: 'Three' },
    ])
  })

  it('adds checkpoints around every step and model call and at the end [CK-07]', async () => {
    chat.model.always(script(plan('One', 'Two'), {}))
    const { whole } = await ask('Two things')
    expect(whole.keys.filter((key) => key.startsWith('checkpoint:')).map((key) => key.slice(11))).toEqual([
      ...['llm_checkpoint_1', 'step0', 'llm_checkpoint_2', 'after_step0'],
      ...['step1', 'llm_checkpoint_3', 'after_step1', 'llm_checkpoint_4', 'completed'],
    ])
  })

  it('answers a one-step task with that step [BL-02]', async () => {
    chat.model.always((request) => (request.response_format ? [plan('Say hello')] : [says('Hello!')]))
    const before = chat.model.requests.length
    const { stream, blocks } = await ask('Say hello')
    expect(chat.model.requests.length - before).toBe(2)
    expect(stream.view()?.content).toBe('Hello!')
    expect(blocks.find((block) => block.type === 'step')).toMatchObject({
      single_step: true,
      completed: true,
    })
  })

  it('works with the built-in model: one calculator step per sub-task [SE-14]', async () => {
    const id = await chat.aSession({ ...planning, modelName: 'atrium/offline' })
    const stream = await chat.ask(id, 'What is 21 * 2, then divide it by 4')
    await stream.ended
    const tools = (stream.view()?.blocks ?? []).filter((block) => block.type === 'tool')
    expect(tools).toMatchObject([
      { step: 1, input: { a: 21, b: 2, operation: 'multiply' }, result: { result: 42 } },
      { step: 2, input: { a: 42, b: 4, operation: 'divide' }, result: { result: 10.5 } },
    ])
    expect(stream.view()?.content).toContain('- 21 × 2 = **42**.\n- 42 ÷ 4 = **10.5**.')
  })

  it('reads a plan out of prose, and asks once again when there is none in it, and does without one [SE-14]', async () => {
    const prose = says('Sure! Here is the plan:\n```json\n["One", {"title": "Two"}]\n```\nShall I begin?')
    chat.model.always(script(prose, {}))
    const { blocks } = await ask('Two things')
    const steps = blocks.filter((block) => block.type === 'step')
    expect(steps.map(({ description }) => description)).toEqual(['One', 'Two'])

    const before = chat.model.requests.length
    chat.model.reply([says('I would begin with One.')], [plan('One')])
    const repaired = await ask('One thing')
    expect(JSON.stringify(chat.model.requests[before + 1]?.messages)).toContain('This cannot be used')
    expect(repaired.stream.view()?.status).toBe('completed')

    chat.model.always([says('No JSON here.')])
    const plain = await ask('One thing')
    expect(plain.stream.view()).toMatchObject({ status: 'completed', content: 'No JSON here.' })
  })

  it('changes the plan when a step requests it and continues the numbering [SE-14]', async () => {
    const change = (request: ModelRequest) =>
      hasResult(request)
        ? [says('It is closed.')]
        : [calls('change_plan', { steps: [{ description: 'Look elsewhere' }, { description: 'Compare' }] })]
    chat.model.always(script(plan('Look here', 'Buy it'), { 1: change }))
    const { blocks, whole } = await ask('Buy it')
    const steps = blocks.filter((block) => block.type === 'step')
    expect(steps.map(({ number, description }) => [number, description])).toEqual([
      [1, 'Look here'],
      [2, 'Look elsewhere'],
      [3, 'Compare'],
    ])
    expect(blocks.some((block) => block.type === 'tool')).toBe(false)
    expect(whole.run.state).toBe('completed')
  })

  it('resumes a step that asked a question with the answer [SE-14]', async () => {
    const book = () => [
      says('Which day?'),
      calls('ask_person', { prompt: 'Which day?', input_types: ['text'] }),
    ]
    chat.model.always(script(plan('Book a table', 'Confirm'), { 1: book }))
    const { id, runId, whole, stream } = await ask('Book and confirm')
    expect(stream.events.at(-1)?.event).toMatchObject({
      event: 'input_required',
      checkpoint_name: 'waiting_for_input_after_step0',
      prompt: 'Which day?',
      input_types: ['text'],
    })
    expect(whole.run.state).toBe('waiting')
    expect(whole.session.pending_input).toMatchObject({ prompt: 'Which day?' })
    const value = JSON.stringify({ value: { input: 'Friday', input_type: 'text' }, events: [] })
    const position = whole.records.length
    await chat.app.deps.db
      .insertInto('run_records')
      .values({
        run_id: runId,
        position,
        key: 'waiting_for_input_after_step0',
        kind: 'answer',
        value,
        epoch: 1,
      })
      .execute()
    const before = chat.model.requests.length
    const done = await resume(chat, runId)
    expect(lastText(chat.model.requests[before]!)).toContain('Friday')
    const steps = done.reply.blocks.filter((block) => block.type === 'step')
    expect(steps.map(({ description }) => description)).toEqual(['Book a table', 'Book a table', 'Confirm'])
    expect(done.reply.status).toBe('completed')
    expect((await chat.call('GET', `/sessions/${id}`)).body).toMatchObject({ status: 'COMPLETED' })
  })

  it("asks the plan's question after a step, with the types it names [SE-14]", async () => {
    const question = { prompt: 'Agreed?', input_types: ['boolean', 'document', 'telepathy'] }
    chat.model.always(script(plan({ description: 'Draft', question }), {}))
    const { stream } = await ask('Draft')
    expect(stream.events.at(-1)?.event).toMatchObject({
      ...{ checkpoint_name: 'waiting_for_input_after_step0', prompt: 'Agreed?' },
      input_types: ['boolean', 'document'],
    })
  })

  it('ends a plan without end with an answer that names the unfinished work [SE-14]', async () => {
    const grow = (request: ModelRequest) =>
      hasResult(request) ? [says('More to do.')] : [calls('change_plan', { steps: ['Again', 'And again'] })]
    const always = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i + 1, grow]))
    chat.model.always(script(plan('Begin', 'Go on'), always))
    const { stream, blocks } = await ask('Never stop')
    expect(blocks.filter((block) => block.type === 'step')).toHaveLength(12)
    expect(lastText(chat.model.requests.at(-1)!)).toContain('These steps were not done')
    expect(stream.view()).toMatchObject({ status: 'completed' })
    expect(stream.view()?.content).toMatch(/All done\.$/)
  })

  it('keeps the text of earlier steps when the provider fails in a later one [BL-12]', async () => {
    const fail = () => [{ do: 'fail' as const, status: 400, message: 'no' }]
    chat.model.always(script(plan('One', 'Two'), { 2: fail }))
    const { stream, blocks } = await ask('Two things')
    expect(stream.view()).toMatchObject({ status: 'error', content: 'Did 1.' })
    const at = blocks.findLastIndex(({ type }) => type === 'error')
    expect(blocks[at - 1]).toMatchObject({ type: 'checkpoint' })
  })

  it('produces the same message from every journal position and repeats no committed call [R-13, SE-14]', async () => {
    chat.model.always(
      script(plan('Multiply', 'Explain', 'Multiply again'), { 1: useCalculator, 3: useCalculator }),
    )
    const { runId, whole, stream } = await ask('Multiply, explain, multiply')
    expect(stream.view()).toMatchObject({ content: whole.reply.content, blocks: whole.reply.blocks })
    const modelCalls = (keys: string[]) => keys.filter((key) => /^step:(.*\/)?model:\d+$/.test(key)).length
    const paid = await paidSteps(chat, runId)
    expect(modelCalls(whole.keys)).toBe(7)
    for (let kept = 1; kept < whole.records.length; kept++) {
      await goBack(chat, runId, kept)
      const before = chat.model.requests.length
      const replayed = await resume(chat, runId)
      expect(replayed.reply.content, `kept ${kept}`).toBe(whole.reply.content)
      expect(replayed.reply.blocks, `kept ${kept}`).toEqual(whole.reply.blocks)
      expect(replayed.keys, `kept ${kept}`).toEqual(whole.keys)
      expect(chat.model.requests.length - before).toBe(7 - modelCalls(whole.keys.slice(0, kept)))
      expect(await paidSteps(chat, runId)).toEqual(paid)
    }
  })
})
