import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBelief, aMessage, aSession, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type OpenStream, openStream } from '#tests/event-stream.ts'
import { calls, type ModelRequest, says, thinks, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const multiply = { a: 21, b: 2, operation: 'multiply' }
const withoutCheckpoints = (stream: OpenStream) =>
  (stream.view()?.blocks ?? []).filter(({ type }) => type !== 'checkpoint')
const textOf = ({ messages }: ModelRequest) => JSON.stringify(messages)

describe('the agents', () => {
  it('multi_turn calls tools until the model answers, and passes it their results [SE-14]', async () => {
    const id = await chat.aSession()
    chat.model.reply(
      [calls('calculator', multiply), calls('calculator', { a: 1, b: 0, operation: 'divide' })],
      [calls('calculator', { a: 42, b: 1, operation: 'add' })],
      [says('It is 43.')],
    )
    const before = chat.model.requests.length
    const stream = await chat.ask(id, 'Compute')
    await stream.ended
    const [, second, third] = chat.model.requests.slice(before)
    expect(second?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      '{"result":42,"exact":"42"}',
      'Error: Division by zero is not possible.',
    ])
    expect(third?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3)
    expect(
      withoutCheckpoints(stream).map((block) => (block.type === 'tool' ? block.status : block.type)),
    ).toEqual(['complete', 'error', 'complete', 'text'])
    expect(stream.view()?.content).toBe('It is 43.')
  })

  it('multi_turn ends with an explanation when a model never stops calling tools [SE-14]', async () => {
    const id = await chat.aSession()
    const before = chat.model.requests.length
    chat.model.always([calls('calculator', multiply)])
    const stream = await chat.ask(id, 'Compute')
    await stream.ended
    chat.model.always([says('Hello')])
    // The last call, which may use no tools, is asked twice.
    expect(chat.model.requests.length - before).toBe(13)
    expect(stream.events.at(-1)?.event).toMatchObject({
      event: 'agent_processing_error',
      error: expect.stringContaining('it asked for a tool that is not available now'),
    })
  })

  it('single_turn makes one call without tools; with a chosen tool it calls it and phrases the result [SE-14]', async () => {
    const id = await chat.aSession({ metadata: { agent_type: 'single_turn' } })
    let before = chat.model.requests.length
    await (await chat.ask(id, 'Hi')).ended
    expect(chat.model.requests.length - before).toBe(1)
    before = chat.model.requests.length
    chat.model.reply([calls('calculator', multiply), calls('calculator', multiply)], [says('42')])
    const stream = await chat.ask(id, { content: 'Compute', tool_choice: 'calculator' })
    await stream.ended
    const [first, second] = chat.model.requests.slice(before)
    expect(first).toMatchObject({ tool_choice: { function: { name: 'calculator' } } })
    expect(second?.messages.filter(({ role }) => role === 'tool')).toHaveLength(1)
    expect(chat.model.requests.length - before).toBe(2)
    expect(stream.view()?.content).toBe('42')
  })

  it('the built-in model answers "What is 21 * 2?" through the tool [CA-01, CA-02, MS-15]', async () => {
    const id = await chat.aSession({ modelName: 'atrium/offline' })
    const stream = await chat.ask(id, 'What is 21 * 2?')
    await stream.ended
    expect(withoutCheckpoints(stream)[0]).toMatchObject({
      type: 'tool',
      tool_id: 'calculator',
      result: { result: 42 },
    })
    expect(stream.view()?.content).toContain('42')
    const zero = await chat.ask(id, 'What is 1 / 0?')
    await zero.ended
    expect(withoutCheckpoints(zero)[0]).toMatchObject({
      type: 'tool',
      status: 'error',
      error: 'Division by zero is not possible.',
    })
  })

  it('thoughts arrive as agent_thinking and form their own block [ST-32]', async () => {
    const id = await chat.aSession()
    chat.model.reply([thinks('Let me ', 'think.'), says('Done.')])
    const stream = await chat.ask(id, 'Hi')
    await stream.ended
    expect(stream.wire.map(({ event }) => event)).toContain('agent_thinking')
    expect(stream.view()).toMatchObject({ content: 'Done.' })
    const [thought] = withoutCheckpoints(stream)
    expect(thought).toMatchObject({ type: 'thinking', text: 'Let me think.' })
    expect(thought?.type === 'thinking' && thought.duration_ms !== null).toBe(true)
  })

  it('a session that names tools offers only those', async () => {
    const id = await chat.aSession({ metadata: { session_tools: ['nothing'] } })
    await (await chat.ask(id, 'Hi')).ended
    expect(chat.model.requests.at(-1)?.tools ?? []).toEqual([])
  })

  it('an empty balance pauses a run between two calls when billing is on [SE-14]', async () => {
    const paid = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } } })
    try {
      const { db } = paid.app.deps
      await db
        .insertInto('ledger_entries')
        .values({ user_id: paid.user.id, kind: 'top_up', amount: 1 })
        .execute()
      const id = await paid.aSession()
      const gate = aGate()
      paid.model.reply([says('First. '), calls('calculator', multiply), waits(gate.opened)])
      const stream = await paid.ask(id, 'Hi')
      await stream.until('response_chunk')
      await db
        .insertInto('ledger_entries')
        .values({ user_id: paid.user.id, kind: 'usage', amount: -2 })
        .execute()
      gate.open()
      await stream.ended
      expect(paid.model.requests).toHaveLength(1)
      expect(stream.events.at(-1)?.event).toMatchObject({ event: 'agent_task_paused', reason: 'balance' })
      expect(stream.view()).toMatchObject({ content: 'First. ', status: 'paused' })
      const next = await paid.call('POST', `/sessions/${id}/messages`, { content: 'Hi' })
      expect(next).toMatchObject({ status: 402 })
    } finally {
      await paid.close()
    }
  })
})

describe("a conversation longer than the model's context window", () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(400)

  async function longSession(turns: number, user = chat.user) {
    const { id } = await aSession(chat.app, user, { modelName: 'compatible/scripted' })
    let parentId: string | undefined
    for (let turn = 1; turn <= turns; turn++) {
      const question = await aMessage(chat.app, id, { parentId, content: `Fact ${turn}. ${filler}` })
      parentId = (
        await aMessage(chat.app, id, { parentId: question.id, role: 'assistant', content: `Noted ${turn}.` })
      ).id
    }
    return id
  }

  it('is sent with a summary of its oldest turns, which is stored and reused [SE-14]', async () => {
    const id = await longSession(14)
    const before = chat.model.requests.length
    const script = (request: ModelRequest) =>
      textOf(request).includes('You keep the memory') ? [says('SUMMARY OF OLD TURNS')] : [says('Answer.')]
    chat.model.always(script)
    const stream = await chat.ask(id, 'And now?')
    await stream.ended
    expect(stream.view()?.content).toBe('Answer.')
    const requests = chat.model.requests.slice(before)
    const last = requests.at(-1)!
    expect(requests.length).toBeGreaterThan(1)
    expect(textOf(last)).toContain('SUMMARY OF OLD TURNS')
    expect(textOf(last)).not.toContain('Fact 1.')
    expect(textOf(last)).toContain('Fact 14.')
    expect(textOf(last)).toContain('And now?')
    const summarised = requests.slice(0, -1).map(textOf).join()
    for (let turn = 1; turn <= 14; turn++) {
      const told = [summarised, textOf(last)].some((text) => text.includes(`Fact ${turn}.`))
      expect(told, `turn ${turn} was dropped`).toBe(true)
    }
    const again = chat.model.requests.length
    await (await chat.ask(id, 'And then?')).ended
    expect(chat.model.requests.length - again).toBe(1)
    expect(textOf(chat.model.requests.at(-1)!)).toContain('SUMMARY OF OLD TURNS')
    chat.model.always([says('Hello')])
  })

  it('is sent with the working memory frozen in the first record [SH-16]', async () => {
    const user = await aUser(chat.app, { workingMemory: true })
    const id = await longSession(14, user)
    const [leaf] = await chat.app.deps.db.selectFrom('sessions').selectAll().where('id', '=', id).execute()
    const messageId = leaf?.active_leaf ?? ''
    await aBelief(chat.app, user, { messageId, goals: ['Renew the lease'], facts: ['It ends in May'] })
    const stream = await openStream(`${chat.url}/sessions/${id}/messages`, {
      ...{ method: 'POST', headers: user.headers, body: { content: 'And now?' } },
    })
    await stream.ended
    const belief = 'Goals:\n- Renew the lease\nFacts:\n- It ends in May'
    const { records } = await readRun(chat.app, stream.view()!.run_id)
    expect(records[0]?.value).toMatchObject({ value: { belief } })
    const isReply = ({ response_format, messages }: ModelRequest) =>
      !response_format && JSON.stringify(messages).includes('And now?')
    const told = chat.model.requests.findLast(isReply)?.messages[0]?.content
    expect(told).toContain('The conversation so far, summarised:\n')
    expect(told).toContain(`What the conversation has come to so far:\n${belief}`)
  })

  it('is refused when a single message exceeds the window [SE-14]', async () => {
    const id = await chat.aSession()
    const stream = await chat.ask(id, filler.repeat(20))
    await stream.ended
    expect(stream.events.at(-1)?.event).toMatchObject({ event: 'agent_processing_error', code: 'too_large' })
  })
})
