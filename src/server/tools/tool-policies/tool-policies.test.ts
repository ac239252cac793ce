import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playAgent, readOn } from '#tests/asking.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, type ModelRequest, says } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import { endRun } from '../../runs/runs/context/live-run.ts'
import { resumeRun } from '../../runs/runs/hold.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const multiply = { a: 21, b: 2, operation: 'multiply' }
const setPolicy = (policy: string, headers = {}) =>
  chat.call('PUT', '/tools/calculator/policy', { policy }, headers)
const answers = ({ messages }: ModelRequest) =>
  `Told: ${messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
    .join(' | ')}`

/** Requests one calculation per input. The session then waits for approval. */
async function askToCalculate(...inputs: object[]) {
  chat.model.always((request) => {
    const isTold = request.messages.some(({ role }) => role === 'tool')
    return isTold ? [says(answers(request))] : inputs.map((input) => calls('calculator', input))
  })
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const requests = stream.view()?.blocks.filter(({ type }) => type === 'input_required') ?? []
  return {
    sessionId,
    stream,
    requests: requests as { checkpoint_name: string; tool: { tool_execution_id: string } }[],
  }
}

const approve = (executionId: string, input: unknown, input_type = 'json') =>
  chat.call('POST', `/tool-executions/${executionId}/provide-input`, { input, input_type })

describe('tool that asks', () => {
  beforeAll(() => setPolicy('ask'))
  afterAll(() => setPolicy('auto'))

  it('waits for approval with its arguments, and runs once approved [SV-96, SV-33, CK-19]', async () => {
    const { sessionId, stream, requests } = await askToCalculate(multiply)
    expect(requests).toMatchObject([
      {
        ...{ kind: 'approval', prompt: 'Allow “Calculator” to run?', input_types: ['json'] },
        tool: { tool_id: 'calculator', tool_name: 'Calculator', input: multiply },
      },
    ])
    expect(stream.view()?.blocks.find(({ type }) => type === 'tool')).toMatchObject({ status: 'pending' })
    const [request] = requests
    // In words, since the route's type is plain text.
    const given = await chat.call(
      'POST',
      `/tool-executions/${request?.tool.tool_execution_id}/provide-input`,
      {
        input: 'yes',
      },
    )
    expect(given).toMatchObject({ status: 200, body: { input: { approved: true } } })
    expect((await readOn(chat, sessionId)).view()?.content).toBe('Told: {"result":42,"exact":"42"}')
  })

  it("runs with a person's changed arguments if the tool accepts them, and notifies the model [SV-96, CK-19]", async () => {
    const { sessionId, requests } = await askToCalculate(multiply)
    const id = requests[0]?.tool.tool_execution_id ?? ''
    const wrong = await approve(id, { approved: true, arguments: { ...multiply, operation: 'power' } })
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'arguments.operation' }] } })
    const changed = { ...multiply, b: 3 }
    expect((await approve(id, { approved: true, arguments: changed })).status).toBe(200)
    const view = (await readOn(chat, sessionId)).view()
    expect(view?.content).toContain(`changed the arguments of this call to ${JSON.stringify(changed)}`)
    expect(view?.content).toContain('"result":63')
    expect(view?.blocks.find(({ type }) => type === 'tool')).toMatchObject({
      input: changed,
      status: 'complete',
    })
    const row = await chat.app.deps.db
      .selectFrom('tool_executions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'complete', input: changed, result: { result: 63 } })
  })

  it('excludes the wait for a person from the time of a call', async () => {
    const { sessionId, requests } = await askToCalculate(multiply)
    const id = requests[0]?.tool.tool_execution_id ?? ''
    const { db } = chat.app.deps
    await sql`update tool_executions set created_at = now() - interval '1 hour' where id = ${id}`.execute(db)
    await sql`
      update input_requests set created_at = now() - interval '1 hour' + interval '500 milliseconds'
      where tool_execution_id = ${id}`.execute(db)
    await approve(id, { approved: true })
    await readOn(chat, sessionId)
    const { body } = await chat.call('GET', '/tool-executions?tool_id=calculator&limit=100')
    const { worked_ms } = body.items.find((item: { id: string }) => item.id === id)
    expect(worked_ms).toBeGreaterThanOrEqual(500)
    expect(worked_ms).toBeLessThan(60_000)
  })

  it('does not run if declined, and tells the model why [SV-96]', async () => {
    const { sessionId, requests } = await askToCalculate(multiply)
    const id = requests[0]?.tool.tool_execution_id ?? ''
    await approve(id, { approved: false, reason: 'Use the figures of May.' })
    const view = (await readOn(chat, sessionId)).view()
    expect(view?.content).toBe('Told: Error: The person declined this call: Use the figures of May.')
    expect(view?.blocks.find(({ type }) => type === 'tool')).toMatchObject({ status: 'error', result: null })
  })

  it('asks separately for concurrent calls [SV-96]', async () => {
    const { sessionId, requests } = await askToCalculate(multiply, { ...multiply, b: 5 })
    expect(requests).toHaveLength(2)
    const [first, second] = requests.map(({ tool }) => tool.tool_execution_id)
    await approve(second ?? '', true, 'boolean')
    const half = await readOn(chat, sessionId)
    const states = half.view()?.blocks.flatMap((block) => (block.type === 'tool' ? [block.status] : []))
    expect(states).toEqual(['pending', 'complete'])
    expect(half.view()?.status).toBe('waiting')
    await approve(first ?? '', 'no', 'text')
    const whole = await readOn(chat, sessionId)
    expect(whole.view()).toMatchObject({ status: 'completed' })
    expect(whole.view()?.content).toContain('declined')
    expect(whole.view()?.content).toContain('105')
  })

  it('refuses another person and an unknown call, and continues to wait [SV-33]', async () => {
    const { sessionId, requests } = await askToCalculate(multiply)
    const id = requests[0]?.tool.tool_execution_id ?? ''
    const stranger = await aUser(chat.app)
    const path = `/tool-executions/${id}/provide-input`
    expect((await chat.call('POST', path, { input: 'yes' }, stranger.headers)).status).toBe(403)
    expect((await approve('00000000-0000-4000-8000-000000000000', true)).status).toBe(404)
    expect((await approve(id, 'perhaps', 'text')).status).toBe(422)
    expect((await chat.call('GET', `/sessions/${sessionId}`)).body.pending_input).toMatchObject({
      kind: 'approval',
    })
    await chat.call('POST', `/sessions/${sessionId}/stop`)
  })

  it('does not ask about a call that the tool would refuse [SV-96]', async () => {
    const { stream, requests } = await askToCalculate({ a: 'many', b: 1, operation: 'add' })
    expect(requests).toEqual([])
    expect(stream.view()?.content).toContain('The arguments are not valid')
  })

  it('uses the policy in force when the run began [SV-96]', async () => {
    const { sessionId, requests } = await askToCalculate(multiply)
    await setPolicy('never')
    await approve(requests[0]?.tool.tool_execution_id ?? '', true, 'boolean')
    expect((await readOn(chat, sessionId)).view()?.content).toContain('42')
    await setPolicy('ask')
  })
})

describe('policy', () => {
  it('never: the tool is not offered, not run, and cannot be chosen [SV-96]', async () => {
    await setPolicy('never')
    const { stream } = await askToCalculate(multiply)
    expect(stream.view()?.content).toContain('There is no tool named calculator')
    const [first] = chat.model.requests.slice(-2)
    expect(JSON.stringify(first?.tools ?? [])).not.toContain('calculator')
    const sessionId = await chat.aSession()
    const refused = await chat.call('POST', `/sessions/${sessionId}/messages`, {
      ...{ content: 'Go', tool_choice: 'calculator' },
    })
    expect(refused).toMatchObject({ status: 422, body: { code: 'not_available' } })
    await setPolicy('auto')
  })

  it("of the person takes precedence over the assistant's, and that over the tool's own [SV-96]", async () => {
    const somebody = await aUser(chat.app)
    const read = (query = '') =>
      chat.call('GET', `/tools/calculator/policy${query}`, undefined, somebody.headers)
    expect((await read()).body).toEqual({ tool_id: 'calculator', policy: 'auto', source: 'tool' })
    const made = await chat.call('POST', '/assistants', { name: 'Desk' }, somebody.headers)
    const query = `?assistant_id=${made.body.id}`
    const decision = { policy: 'ask', assistant_id: made.body.id }
    expect((await chat.call('PUT', '/tools/calculator/policy', decision, somebody.headers)).status).toBe(200)
    // People who may not use the assistant learn nothing about it.
    expect((await chat.call('GET', `/tools/calculator/policy${query}`)).status).toBe(403)
    expect((await read(query)).body).toMatchObject({ policy: 'ask', source: 'assistant' })
    expect((await read()).body).toMatchObject({ policy: 'auto', source: 'tool' })
    expect((await setPolicy('never', somebody.headers)).body).toMatchObject({
      policy: 'never',
      source: 'user',
    })
    expect((await setPolicy('auto', somebody.headers)).body).toMatchObject({ policy: 'auto', source: 'user' })
    expect((await read(query)).body).toMatchObject({ policy: 'auto', source: 'user' })
  })

  it('is refused for unknown tools and unknown values [SV-96]', async () => {
    expect((await chat.call('PUT', '/tools/nothing/policy', { policy: 'ask' })).status).toBe(404)
    expect((await setPolicy('sometimes')).status).toBe(422)
    const body = { policy: 'ask', assistant_id: '11111111-1111-4111-8111-111111111111' }
    expect((await chat.call('PUT', '/tools/calculator/policy', body)).status).toBe(404)
  })
})

describe('interrupted call', () => {
  /** A non-idempotent call whose process is lost during it. */
  async function interrupted() {
    const effects: string[] = []
    const { engine } = chat.app.deps
    playAgent([chat.app], async (run) => {
      const tool = { tool_execution_id: run.id, tool_id: 'mail', tool_name: 'Send e-mail' }
      const sent = await run.step(
        'send',
        async () => {
          effects.push('sent')
          if (effects.length === 1) endRun([...engine.live.values()][0]!, 'lost')
          return 'sent'
        },
        { repeatable: false, tool, skipped: async () => 'skipped' },
      )
      await run.step('say', async (leaf) => leaf.emit({ event: 'response_chunk', content: sent }))
    })
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Go')
    await stream.until('agent_processing_started')
    const { id: runId } = await chat.app.deps.db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    while ((await readRun(chat.app, runId)).run.state !== 'waiting')
      await resumeRun(engine, runId, ['running'])
    const { session } = await readRun(chat.app, runId)
    const { checkpoint_name } = session.pending_input as { checkpoint_name: string }
    const answer = (input: string) =>
      chat.call('POST', `/sessions/${sessionId}/provide-input`, {
        checkpoint_name,
        input,
        input_type: 'text',
      })
    return { sessionId, session, effects, answer }
  }

  it.each([
    ['retry', 'sent', 2],
    ['skip', 'skipped', 1],
  ])('continues after %s [R-13, CK-18]', async (choice, content, times) => {
    const { sessionId, session, effects, answer } = await interrupted()
    expect(session.pending_input).toMatchObject({
      ...{ kind: 'interrupted', tool: { tool_name: 'Send e-mail' } },
      prompt: '“Send e-mail” had started when the server stopped. Its result is not known. Run it again?',
    })
    expect((await answer('maybe')).status).toBe(422)
    expect((await answer(choice)).status).toBe(200)
    expect((await readOn(chat, sessionId)).view()).toMatchObject({ content, status: 'completed' })
    expect(effects).toHaveLength(times)
  })

  it('ends after stop [R-13]', async () => {
    const { sessionId, effects, answer } = await interrupted()
    await answer('stop')
    const stream = await readOn(chat, sessionId)
    expect(stream.view()).toMatchObject({ status: 'completed', stopped: true })
    expect(effects).toHaveLength(1)
  })
})
