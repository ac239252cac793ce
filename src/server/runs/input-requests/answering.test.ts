import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { askUntilWaiting, playAgent, readOn, say } from '#tests/asking.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { readRun } from '#tests/runs.ts'
import { resumeRun } from '../runs/hold.ts'
import type { Question, RunContext } from '../runs/runs.ts'

let chat: Chat
let other: TestApp
beforeAll(async () => {
  chat = await startChat()
  other = await startApp({ address: chat.app.address })
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

const name = 'waiting_for_input_after_step1'
const asks =
  (question: Partial<Question> = {}) =>
  async (run: RunContext) => {
    await say(run, 'before', 'Before. ')
    const answer = await run.ask(name, { prompt: 'Which one?', input_types: ['text'], ...question })
    await say(run, 'after', `Got ${JSON.stringify(answer.input)}.`)
  }

async function waiting(question?: Partial<Question>) {
  playAgent([chat.app, other], asks(question))
  return askUntilWaiting(chat)
}

const provide = (sessionId: string, input: unknown, input_type = 'text', checkpoint_name = name) =>
  chat.call('POST', `/sessions/${sessionId}/provide-input`, { checkpoint_name, input, input_type })

async function runOf(sessionId: string) {
  const row = await chat.app.deps.db
    .selectFrom('runs')
    .select('id')
    .where('session_id', '=', sessionId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return readRun(chat.app, row.id)
}

describe('an input request', () => {
  it('accepts an answer over HTTP and resumes its run [CK-18, SV-32, ST-13, R-13]', async () => {
    const id = await waiting()
    const parked = await runOf(id)
    expect(parked.run).toMatchObject({ state: 'waiting', owner: null })
    expect(parked.session).toMatchObject({ status: 'active', agent_status: 'paused' })
    expect(parked.session.pending_input).toMatchObject({
      ...{ type: 'input_required', checkpoint_name: name, prompt: 'Which one?', kind: 'question' },
    })
    const answered = await provide(id, 'the blue one')
    expect(answered).toMatchObject({
      status: 200,
      body: { status: 'accepted', input: 'the blue one', input_type: 'text', checkpoint_name: name },
    })
    const stream = await readOn(chat, id)
    expect(stream.view()?.content).toBe('Before. Got "the blue one".')
    const { run, reply, session, keys } = await runOf(id)
    expect(run.state).toBe('completed')
    expect(session.pending_input).toBeNull()
    expect(reply.blocks.find(({ type }) => type === 'input_required')).toMatchObject({
      ...{ state: 'provided', input: 'the blue one', input_type: 'text' },
      answered_at: answered.body.answered_at,
    })
    expect(keys).toEqual([
      ...['input:input', 'step:before', `checkpoint:${name}`, `ask:${name}`, `answer:${name}`],
      ...[`checkpoint:${name}_with_input`, 'step:after', 'end:end'],
    ])
  })

  it("sends input_received to the session's readers exactly once [ST-13]", async () => {
    const id = await waiting()
    const events = await chat.follow(`/sessions/${id}/events`)
    await events.until('connection_established')
    await provide(id, 'x')
    await events.until('agent_processing_complete')
    events.leave()
    const received = events.wire.filter(({ event }) => event === 'input_received')
    expect(received.map(({ data }) => JSON.parse(data))).toMatchObject([
      { checkpoint_name: name, input: 'x', input_type: 'text' },
    ])
  })

  it('accepts one answer: returns 200 for the same one again and 409 for a different one [CK-23]', async () => {
    const id = await waiting()
    const first = await provide(id, 'a')
    const again = await provide(id, 'a')
    expect(again).toEqual(first)
    const second = await provide(id, 'b')
    expect(second).toMatchObject({
      ...{ status: 409 },
      body: { detail: 'This request has already been answered.', code: 'already_answered' },
    })
    await readOn(chat, id)
    const { reply, keys } = await runOf(id)
    expect(reply.content).toContain('"a"')
    expect(keys.filter((key) => key.startsWith('answer:'))).toHaveLength(1)
  })

  it('accepts only one of two answers that race through two processes [CK-23]', async () => {
    const id = await waiting()
    const url = `/api/v1/sessions/${id}/provide-input`
    const send = (app: TestApp, input: string) =>
      app.http.inject({
        ...{ method: 'POST', url, headers: chat.user.headers },
        payload: { checkpoint_name: name, input, input_type: 'text' },
      })
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((input, at) => send(at % 2 ? other : chat.app, input)),
    )
    const codes = answers.map(({ statusCode }) => statusCode).sort()
    expect(codes).toEqual([200, 409, 409, 409])
    const won = answers.find(({ statusCode }) => statusCode === 200)?.json().input
    await readOn(chat, id)
    expect((await runOf(id)).reply.content).toBe(`Before. Got "${won}".`)
  })

  it('outlives its process: another process resumes the run with the answer [CK-23, R-13]', async () => {
    const id = await waiting()
    const url = `/api/v1/sessions/${id}/provide-input`
    const payload = { checkpoint_name: name, input: 'far', input_type: 'text' }
    const { headers } = chat.user
    expect((await other.http.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
    const stream = await readOn(chat, id)
    expect(stream.view()).toMatchObject({ status: 'completed', content: 'Before. Got "far".' })
  })

  it('refuses answers from other users without changing anything [CK-18]', async () => {
    const id = await waiting()
    const before = await runOf(id)
    expect((await provide(id, 'x', 'text', 'waiting_for_input_after_step9')).status).toBe(404)
    expect((await provide('00000000-0000-4000-8000-000000000000', 'x')).status).toBe(404)
    const stranger = await aUser(chat.app)
    const url = `/api/v1/sessions/${id}/provide-input`
    // Permission is checked before the body.
    const refused = await chat.app.http.inject({
      method: 'POST',
      url,
      headers: stranger.headers,
      payload: {},
    })
    expect(refused.statusCode).toBe(403)
    expect((await provide(id, 'x', 'telepathy')).status).toBe(422)
    expect((await provide(id, 'x', 'json')).status).toBe(422)
    expect((await provide(id, '  ')).status).toBe(422)
    const after = await runOf(id)
    expect(after.run).toEqual(before.run)
    expect(after.keys).toEqual(before.keys)
    expect(after.session).toEqual(before.session)
  })

  it('refuses an answer once its run is stopped [CK-23]', async () => {
    const id = await waiting()
    await chat.call('POST', `/sessions/${id}/stop`)
    expect(await provide(id, 'x')).toMatchObject({
      ...{ status: 409, body: { detail: 'This run no longer waits for an answer.' } },
    })
    const { reply, run, session } = await runOf(id)
    expect(run.state).toBe('stopped')
    expect(session.pending_input).toBeNull()
    expect(reply.blocks.find(({ type }) => type === 'input_required')).toMatchObject({ state: 'closed' })
  })

  it("appears on the tool's card and can be answered by execution id [ST-13, ST-19, CK-19, G-24]", async () => {
    const execution = '22222222-2222-4222-8222-222222222222'
    const tool = { tool_execution_id: execution, tool_id: 'probe', tool_name: 'Probe' }
    playAgent([chat.app, other], async (run) => {
      const { user_id, session_id } = run.input
      const row = { id: execution, run_id: run.id, user_id, session_id, tool_id: 'probe', status: 'pending' }
      await run.step('announce', async (leaf) => {
        leaf.together(async (trx) => void (await trx.insertInto('tool_executions').values(row).execute()))
        const data = { status: 'pending' }
        leaf.emit({ event: 'tool_update', ...tool, type: 'tool_start', data })
      })
      const { input } = await run.ask('waiting_for_input', {
        prompt: 'Confirm?',
        input_types: ['text'],
        tool,
      })
      await say(run, 'end', String(input))
    })
    const id = await chat.aSession()
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    expect(stream.wire.map(({ event }) => event).slice(-2)).toEqual(['tool_input_required', 'input_required'])
    const card = stream.view()?.blocks.find(({ type }) => type === 'tool')
    expect(card).toMatchObject({ events: [{}, { type: 'tool_input_required', message: 'Confirm?' }] })
    expect(
      (await chat.call('POST', `/tool-executions/${execution}/provide-input`, { input: 'no' })).status,
    ).toBe(200)
    expect((await readOn(chat, id)).view()).toMatchObject({ content: 'no', status: 'completed' })
  })

  it('replays to the same message from every crash position [CK-23, R-13]', async () => {
    const id = await waiting()
    await provide(id, 'blue')
    await readOn(chat, id)
    const whole = await runOf(id)
    const { db } = chat.app.deps
    const { engine } = chat.app.deps
    const runId = whole.run.id
    const asked = whole.keys.indexOf(`ask:${name}`)
    for (let kept = 1; kept < whole.records.length; kept++) {
      await db.deleteFrom('run_records').where('run_id', '=', runId).where('position', '>=', kept).execute()
      if (kept <= asked) await db.deleteFrom('input_requests').where('run_id', '=', runId).execute()
      await db.updateTable('runs').set({ state: 'running', owner: null }).where('id', '=', runId).execute()
      await resumeRun(engine, runId)
      await until(async () => (await runOf(id)).run.state !== 'running')
      if (kept <= asked) await provide(id, 'blue')
      await until(async () => (await runOf(id)).run.state === 'completed')
      const again = await runOf(id)
      expect(again.keys, `kept ${kept}`).toEqual(whole.keys)
      expect(again.reply.content, `kept ${kept}`).toBe(whole.reply.content)
    }
  })

  it('waits for its own answer in each parallel branch [R-13]', async () => {
    playAgent([chat.app, other], async (run) => {
      const answers = await Promise.all(
        ['a', 'b'].map((branch) =>
          run.scope(branch, async (scope) => {
            const { input } = await scope.ask('waiting_for_input', { prompt: branch, input_types: ['text'] })
            return say(scope, 'heard', `${branch}=${input} `)
          }),
        ),
      )
      await say(run, 'end', `all ${answers.length}`)
    })
    const id = await chat.aSession()
    const asked = await chat.ask(id, 'Go')
    await asked.ended
    // One stream carries both requests before it closes.
    expect(asked.view()?.blocks.filter(({ type }) => type === 'input_required')).toHaveLength(2)
    await provide(id, 'two', 'text', 'b/waiting_for_input')
    const half = await readOn(chat, id)
    expect(half.view()).toMatchObject({ status: 'waiting', content: 'b=two ' })
    const { run, session } = await runOf(id)
    expect(run.state).toBe('waiting')
    expect(session).toMatchObject({
      status: 'active',
      pending_input: { checkpoint_name: 'a/waiting_for_input' },
    })
    await provide(id, 'one', 'text', 'a/waiting_for_input')
    const whole = await readOn(chat, id)
    expect(whole.view()).toMatchObject({ status: 'completed', content: 'b=two a=one all 2' })
  })

  it('accepts an answer while another branch of its run is working [R-13]', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    playAgent([chat.app, other], async (run) => {
      await Promise.all([
        run.scope('a', async (scope) => {
          await scope.ask('waiting_for_input', { prompt: 'a', input_types: ['text'] })
          await scope.step('slow', () => gate)
        }),
        run.scope('b', async (scope) => {
          const { input } = await scope.ask('waiting_for_input', { prompt: 'b', input_types: ['text'] })
          await say(scope, 'heard', `b=${input}`)
        }),
      ])
    })
    const id = await askUntilWaiting(chat)
    await provide(id, 'go', 'text', 'a/waiting_for_input')
    const stream = await chat.follow(`/sessions/${id}/task-stream`)
    expect((await provide(id, 'now', 'text', 'b/waiting_for_input')).status).toBe(200)
    await stream.until('response_chunk')
    open()
    await stream.ended
    expect(stream.view()).toMatchObject({ status: 'completed', content: 'b=now' })
  })
})

describe('the deadline of an input request', () => {
  it('ends the run when no answer arrives, and late answers are refused [CK-23]', async () => {
    const id = await waiting({ seconds: 0.3 })
    expect((await runOf(id)).run.state).toBe('waiting')
    await until(async () => (await runOf(id)).run.state === 'failed')
    const { reply, run } = await runOf(id)
    expect(run.error).toMatchObject({ code: 'no_answer', detail: 'No answer was given in time.' })
    expect(reply.blocks).toContainEqual(
      expect.objectContaining({ type: 'error', error: 'No answer was given in time.' }),
    )
    expect(reply.blocks).toContainEqual(expect.objectContaining({ type: 'input_required', state: 'closed' }))
    expect(await provide(id, 'late')).toMatchObject({
      ...{ status: 409, body: { detail: 'The deadline for this request has passed.' } },
    })
  })

  it('resumes the run with the stated default [CK-23]', async () => {
    const id = await waiting({ seconds: 0.3, default: { input: 'the cheapest', input_type: 'text' } })
    await until(async () => (await runOf(id)).run.state === 'completed')
    const { reply } = await runOf(id)
    expect(reply.content).toBe('Before. Got "the cheapest".')
    expect(reply.blocks.find(({ type }) => type === 'input_required')).toMatchObject({
      ...{ state: 'provided', input: 'the cheapest', by_default: true },
    })
  })

  it('takes effect at the time it passed, not when it is noticed [CK-23]', async () => {
    const id = await waiting({ deadline: new Date(Date.now() - 1000).toISOString() })
    expect(await provide(id, 'late')).toMatchObject({ status: 409, body: { code: 'deadline_passed' } })
    await until(async () => (await runOf(id)).run.state === 'failed')
  })
})

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 30))
}
