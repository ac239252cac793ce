import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { AppError } from '#shared/platform/errors.ts'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { hangs } from '#tests/model-server.ts'
import { type Probe, playTool } from '#tests/probe-tool.ts'
import { endRun } from '../../runs/runs/context/live-run.ts'
import { resumeRun } from '../../runs/runs/hold.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const nowhere = '00000000-0000-4000-8000-000000000000'
const multiply = { a: 21, b: 2, operation: 'multiply' }

let unplay = () => {}
afterEach(() => unplay())

/** Sets the behavior of the tool `probe` from now on. */
function play(...probe: Probe): void {
  unplay = playTool(chat.app, ...probe)
}

const execute = (id: string, inputs: object, more: object = {}, headers = {}) =>
  chat.call('POST', `/tools/${id}/execute`, { inputs, ...more }, headers)
const read = async (id: string) => (await chat.call('GET', `/tool-executions/${id}`)).body

/** Waits until an execution has ended, or has a status. */
async function settled(id: string, until?: string) {
  for (;;) {
    const execution = await read(id)
    if (until ? execution.status === until : execution.finished_at) return execution
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function run(inputs: object = { n: 21 }) {
  const { body } = await execute('probe', inputs)
  return settled(body.tool_execution_id)
}

describe('tool list', () => {
  it('contains every tool with its inputs, interface, icon and examples [TO-01, TO-02, SV-45]', async () => {
    const { status, body } = await chat.call('GET', '/tools/')
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: string }) => id)).toContain('calculator')
    expect(body.find(({ id }: { id: string }) => id === 'calculator')).toMatchObject({
      ...{ name: 'calculator', ui_name: 'Calculator', icon: 'calculator', policy: 'auto' },
      ui_location: { kind: 'internal', name: 'calculator' },
      input_schema: {
        properties: { operation: { enum: ['add', 'subtract', 'multiply', 'divide'] } },
        required: ['a', 'b', 'operation'],
      },
      example_responses: [{ outputs: { result: expect.any(Number) } }],
    })
  })

  it('returns one tool, or names the one that does not exist [SV-46, BL-13]', async () => {
    const { body } = await chat.call('GET', '/tools/calculator')
    expect(body).toMatchObject({ id: 'calculator', limit_seconds: 5 })
    expect(await chat.call('GET', '/tools/..%2Faccounts')).toMatchObject({ status: 404 })
    expect(await chat.call('GET', '/tools/nothing')).toMatchObject({
      status: 404,
      body: { detail: 'Tool with ID nothing not found.' },
    })
  })

  it('contains the policy that applies to the caller [SV-96, TO-01]', async () => {
    const { headers } = await aUser(chat.app)
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'never' }, headers)
    const policyOf = async (more = {}) =>
      (await chat.call('GET', '/tools/calculator', undefined, more)).body.policy
    expect([await policyOf(headers), await policyOf()]).toEqual(['never', 'auto'])
  })
})

describe('execution of a tool', () => {
  it('returns an id and a status immediately, and the result later [SV-50, G-40]', async () => {
    const { status, body } = await execute('calculator', multiply)
    expect(status).toBe(202)
    expect(body).toEqual({ tool_execution_id: expect.any(String), status: 'pending' })
    expect(await settled(body.tool_execution_id)).toMatchObject({
      ...{ tool_id: 'calculator', status: 'complete', error: null, session_id: null },
      ...{ input: multiply, result: { result: 42, exact: '42' } },
      events: [{ status: 'pending' }, { status: 'processing' }, { status: 'complete' }],
    })
  })

  it("sends its events on the session's stream [SV-50, G-40, TO-27]", async () => {
    const session_id = await chat.aSession()
    const stream = await chat.follow(`/sessions/${session_id}/events`)
    await stream.until('connection_established')
    const { body } = await execute('calculator', multiply, { session_id })
    expect(await settled(body.tool_execution_id)).toMatchObject({ session_id })
    const heard = () => stream.wire.filter(({ event }) => event === 'tool_update')
    while (heard().length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(heard().map(({ data }) => JSON.parse(data).data.status)).toEqual([
      ...['pending', 'processing', 'complete'],
    ])
    expect(JSON.parse(heard()[2]?.data ?? '{}')).toMatchObject({
      tool_execution_id: body.tool_execution_id,
      data: { result: { result: 42 } },
    })
    stream.leave()
  })

  it("never waits for its session's chat, nor the chat for it [SV-50, G-41]", async () => {
    const session_id = await chat.aSession()
    chat.model.reply([hangs()])
    const reply = await chat.ask(session_id, 'Go')
    await reply.until('agent_processing_started')
    const { body } = await execute('calculator', multiply, { session_id })
    expect(await settled(body.tool_execution_id)).toMatchObject({ status: 'complete' })
    expect((await chat.call('GET', `/sessions/${session_id}`)).body.status).toBe('GENERATING')
    await chat.call('POST', `/sessions/${session_id}/stop`)
    const gate = aGate()
    play(async ({ n }) => {
      await gate.opened
      return { doubled: n * 2 }
    })
    const second = await execute('probe', { n: 1 }, { session_id })
    const answered = await chat.ask(session_id, 'Hi')
    await answered.ended
    expect(answered.view()?.status).toBe('completed')
    gate.open()
    expect(await settled(second.body.tool_execution_id)).toMatchObject({ result: { doubled: 2 } })
    expect((await chat.call('GET', `/sessions/${session_id}`)).body.status).toBe('COMPLETED')
  })

  it('refuses invalid inputs by name, and stores nothing [SV-50]', async () => {
    const refused = await execute('calculator', { a: 1, operation: 'power' })
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect(refused.body).toMatchObject({
      detail: 'b is required.',
      errors: [
        { path: 'b', message: 'is required' },
        { path: 'operation', message: 'must be one of add, subtract, multiply, divide' },
      ],
    })
    expect((await chat.call('POST', '/tools/calculator/execute', { inputs: 5 })).status).toBe(422)
    expect((await execute('nothing', {})).status).toBe(404)
  })

  it("has the tool's error as its own [CA-02, TO-11]", async () => {
    const { body } = await execute('calculator', { a: 1, b: 0, operation: 'divide' })
    expect(await settled(body.tool_execution_id)).toMatchObject({
      ...{ status: 'error', error: 'Division by zero is not possible.', result: null },
    })
  })

  it('belongs to its owner, like its session [SV-50, G-73]', async () => {
    const { headers } = await aUser(chat.app)
    const { body } = await execute('calculator', multiply)
    const path = `/tool-executions/${body.tool_execution_id}`
    expect((await chat.call('GET', path, undefined, headers)).status).toBe(403)
    expect((await chat.call('GET', `/tool-executions/${nowhere}`)).status).toBe(404)
    const session_id = await chat.aSession()
    expect((await execute('calculator', multiply, { session_id }, headers)).status).toBe(403)
    expect((await execute('calculator', multiply, { session_id: nowhere })).status).toBe(404)
    await settled(body.tool_execution_id)
  })

  it('of a chat is read the same way [SV-50]', async () => {
    const session = await chat.aSession({ modelName: 'atrium/offline' })
    const stream = await chat.ask(session, 'What is 21 * 2?')
    await stream.ended
    const card = stream.view()?.blocks.find(({ type }) => type === 'tool')
    expect(await read(card?.id ?? '')).toMatchObject({
      ...{ status: 'complete', result: { result: 42 }, session_id: session },
      events: card?.type === 'tool' ? card.events : [],
    })
  })

  it('is listed for its person, newest first, page by page [SV-50]', async () => {
    const somebody = (await aUser(chat.app)).headers
    const list = async (query: string, headers = {}) =>
      (await chat.call('GET', `/tool-executions?${query}`, undefined, headers)).body
    const made: string[] = []
    for (const a of [1, 2, 3]) {
      const { body } = await execute('calculator', { ...multiply, a }, {}, somebody)
      made.unshift(body.tool_execution_id)
    }
    const page = await list('tool_id=calculator&limit=2', somebody)
    expect(page.items.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 2))
    expect(page).toMatchObject({
      has_more: true,
      items: [
        { tool_id: 'calculator', session_id: null, session_title: null, waits: false, input: { a: 3 } },
        {},
      ],
    })
    const rest = await list(`tool_id=calculator&limit=2&before=${made[1]}`, somebody)
    expect(rest).toMatchObject({ has_more: false, items: [{ id: made[2], input: { a: 1 } }] })
    expect(await list('tool_id=weather', somebody)).toEqual({ items: [], has_more: false })
    const others = await list('tool_id=calculator&limit=100')
    expect(others.items.map(({ id }: { id: string }) => id)).not.toContain(made[0])
  })

  it('is marked in the list if it gave up, whatever characters its result has', async () => {
    const listed = async (result: unknown) => {
      const { body } = await execute('calculator', multiply)
      const id = body.tool_execution_id
      await settled(id)
      const { db } = chat.app.deps
      await sql`update tool_executions set result = ${JSON.stringify(result)}::json where id = ${id}`.execute(
        db,
      )
      const { items } = (await chat.call('GET', '/tool-executions?tool_id=calculator&limit=1')).body
      return items[0].gave_up
    }
    expect(await listed({ error: 'No program.' })).toBe(true)
    for (const result of [{ error: null }, { error: '\0' }, [], 'error', 7])
      expect(await listed(result)).toBe(false)
  })

  it('is listed with the chat it was called in, and with inputs of one line [SV-50]', async () => {
    const session = await chat.aSession({ modelName: 'atrium/offline' })
    await (await chat.ask(session, 'What is 6 * 7?')).ended
    const { body } = await chat.call('GET', '/tool-executions?tool_id=calculator&limit=1')
    expect(body.items).toMatchObject([
      {
        session_id: session,
        session_title: expect.any(String),
        status: 'complete',
        finished_at: expect.any(String),
      },
    ])
    play(async () => ({ doubled: 1 }), { input: z.looseObject({}) as never })
    const long = await execute('probe', { text: 'x'.repeat(1_000), nested: { deep: true } })
    await settled(long.body.tool_execution_id)
    const listed = await chat.call('GET', '/tool-executions?tool_id=probe&limit=1')
    expect(listed.body.items[0].input).toEqual({ text: 'x'.repeat(200) })
  })

  it("shows the tool's phases and text while it works [R-18]", async () => {
    const gate = aGate()
    play(async ({ n }, { phase, partial }) => {
      phase('look', 'processing')
      partial('so far')
      await gate.opened
      phase('look', 'complete')
      return { doubled: n * 2 }
    })
    const { body } = await execute('probe', { n: 1 })
    const under = await settled(body.tool_execution_id, 'streaming')
    expect(under.events.at(-2)).toMatchObject({ phase: 'look', status: 'processing' })
    expect(under.events.at(-1).data).toEqual({ content: 'so far' })
    gate.open()
    expect((await settled(body.tool_execution_id)).events.at(-2)).toMatchObject({ status: 'complete' })
  })

  it('P9 fetches nothing from this machine except configured addresses', async () => {
    play(async (_, { fetch }) => ({ doubled: (await fetch(`${chat.url}/health`)).status }))
    expect(await run()).toMatchObject({ status: 'error', error: expect.stringContaining('public internet') })
    const { config } = chat.app.deps
    const before = config.ATRIUM_PUBLIC_URL
    config.ATRIUM_PUBLIC_URL = chat.url
    play(
      async (_, { fetch, settings }) => ({
        doubled: (await fetch(`${settings.ATRIUM_PUBLIC_URL}/health`)).status,
      }),
      { settings: ['ATRIUM_PUBLIC_URL'] },
    )
    expect(await run()).toMatchObject({ result: { doubled: 200 } })
    config.ATRIUM_PUBLIC_URL = before
  })

  it('is limited to ten concurrent ones per person [SV-50]', async () => {
    const gate = aGate()
    play(async () => {
      await gate.opened
      return { doubled: 1 }
    })
    const { headers } = await aUser(chat.app)
    const answers = []
    for (let count = 0; count < 11; count += 1) answers.push(await execute('probe', { n: 1 }, {}, headers))
    expect(answers.map(({ status }) => status)).toEqual([...new Array(10).fill(202), 429])
    gate.open()
  })
})

describe('durable tool', () => {
  it('resumes after its last step in any process [R-13]', async () => {
    const made: string[] = []
    const gate = aGate()
    play(
      async ({ n }, { step, phase }) => {
        phase('first', 'processing')
        const one = await step('one', async () => {
          made.push('one')
          return n + 1
        })
        const two = await step('two', async () => {
          made.push('two')
          if (made.length === 2) await gate.opened
          return one * 2
        })
        phase('first', 'complete')
        return { doubled: two }
      },
      { durable: true },
    )
    const { body } = await execute('probe', { n: 1 })
    while (made.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
    const { engine } = chat.app.deps
    const held = engine.live.get((await read(body.tool_execution_id)).run_id)!
    endRun(held, 'lost')
    while (engine.live.has(held.id)) await new Promise((resolve) => setTimeout(resolve, 2))
    await resumeRun(engine, held.id)
    gate.open()
    const done = await settled(body.tool_execution_id)
    expect(done).toMatchObject({ status: 'complete', result: { doubled: 4 } })
    expect(made).toEqual(['one', 'two', 'two'])
    expect(done.events.filter(({ phase }: { phase?: string }) => phase)).toMatchObject([
      { phase: 'first', status: 'processing' },
      { phase: 'first', status: 'complete' },
    ])
  })

  it('waits for a person without occupying a process, and continues with the answer [SV-33]', async () => {
    play(
      async ({ n }, { step, ask }) => {
        const one = await step('one', async () => n)
        const { input } = await ask('factor', { prompt: 'By what?', input_types: ['text'] })
        return { doubled: one * Number(input) }
      },
      { durable: true, limitSeconds: 0.3 },
    )
    const { body } = await execute('probe', { n: 7 })
    const id = body.tool_execution_id
    await expect.poll(async () => (await read(id)).request?.prompt, { timeout: 20_000 }).toBe('By what?')
    const waiting = (await chat.call('GET', '/input-requests')).body
    expect(waiting.items).toMatchObject([
      { session_id: null, request: { tool: { tool_execution_id: id, tool_id: 'probe' } } },
    ])
    expect((await chat.call('GET', '/tool-executions?tool_id=probe&limit=1')).body.items).toMatchObject([
      { id, waits: true, finished_at: null },
    ])
    const given = await chat.call('POST', `/tool-executions/${id}/provide-input`, { input: '6' })
    expect(given.status).toBe(200)
    expect(await settled(id)).toMatchObject({ result: { doubled: 42 }, request: null })
  })

  it('records its outcome, so an error is not computed again [R-13]', async () => {
    let times = 0
    play(
      async (_, { step }) => {
        times += 1
        await step('one', async () => 1)
        throw new AppError('invalid', 'Not like this.')
      },
      { durable: true },
    )
    expect(await run()).toMatchObject({ status: 'error', error: 'Not like this.' })
    expect(times).toBe(1)
  })

  it('refuses steps to tools that are not declared durable', async () => {
    play(async (_, { step }) => ({ doubled: await step('one', async () => 1) }))
    expect(await run()).toMatchObject({ status: 'error', error: 'Probe failed unexpectedly.' })
  })
})
