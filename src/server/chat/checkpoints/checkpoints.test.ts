import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Checkpoint, Comparison } from '#shared/chat/checkpoints/checkpoints.ts'
import { aBelief, aSession, aUser } from '#tests/builders.ts'
import { anAnsweredPlan, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import { aStepsAgent, scriptAgent } from '#tests/steps-agent.ts'

const steps = aStepsAgent(3)
let chat: Chat
beforeAll(async () => {
  chat = await startChat()
  scriptAgent(chat.app, steps)
})
afterAll(() => chat.close())

const listOf = async (sessionId: string, query = ''): Promise<Checkpoint[]> =>
  (await chat.call('GET', `/sessions/${sessionId}/checkpoints${query}`)).body

const path = (id: string) => `/checkpoints/${encodeURIComponent(id)}`

async function returnTo(sessionId: string, messageId: string, checkpoint_name: string) {
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
    ...{ method: 'POST', headers: chat.user.headers },
    body: { checkpoint_name, message_id: messageId },
  })
  await stream.ended
  return stream.view()!
}

describe('the checkpoint list', () => {
  it('contains every checkpoint of all branches, newest last [CK-01, CK-02, SV-29, ST-12]', async () => {
    const { sessionId, runId, messageId } = await anAnsweredPlan(chat)
    const list = await listOf(sessionId)
    expect(list.map(({ checkpoint_name }) => checkpoint_name)).toEqual([
      ...['step0', 'after_step0', 'step1', 'after_step1', 'step2', 'after_step2'],
    ])
    expect(list[1]).toMatchObject({
      ...{ id: `${runId}:after_step0`, run_id: runId, message_id: messageId, kind: 'after_step' },
      ...{ label: null, is_active: true, created_at: expect.stringMatching(/^20\d\d-.*Z$/) },
    })
    const { reply } = await readRun(chat.app, runId)
    const shown = reply.blocks.filter(({ type }) => type === 'checkpoint').map(({ id }) => id)
    expect(shown).toEqual(list.map(({ id }) => id))

    const fork = await returnTo(sessionId, messageId, 'step1')
    const both = await listOf(sessionId)
    expect(both.map(({ run_id }) => run_id)).toEqual([
      ...Array.from({ length: 6 }, () => runId),
      ...Array.from({ length: 3 }, () => fork.run_id),
    ])
    // The new branch has inherited checkpoints and its own.
    expect(both.map(({ is_active }) => is_active)).toEqual([
      ...[true, true, true, false, false, false],
      ...[true, true, true],
    ])
    expect(await listOf(sessionId, '?limit=2')).toEqual(both.slice(-2))
  })

  it('includes the prompt and answer types of a checkpoint with a question [CK-01]', async () => {
    const { engine } = chat.app.deps
    engine.agents.plan_and_act = {
      version: 1,
      run: async (run) => {
        await run.ask('waiting_for_input', { prompt: 'Which price?', input_types: ['text'] })
      },
    }
    const sessionId = await chat.aSession({ metadata: { agent_type: 'plan_and_act' } })
    await (await chat.ask(sessionId, 'Go')).ended
    engine.agents.plan_and_act = steps.agent
    expect(await listOf(sessionId)).toMatchObject([
      { checkpoint_name: 'waiting_for_input', prompt: 'Which price?', input_types: ['text'] },
    ])
    await chat.call('POST', `/sessions/${sessionId}/stop`)
  })

  it('is limited in bytes to the newest entries, with long questions cut', async () => {
    const { sessionId, runId } = await anAnsweredPlan(chat)
    const { db } = chat.app.deps
    await sql`
      insert into run_records (run_id, position, key, kind, value, epoch, created_at)
      select ${runId}, 1000 + n, 'long' || n, 'checkpoint', json_build_object('events', json_build_array(
        json_build_object('checkpoint_name', 'long' || n || repeat('x', 4000), 'kind', 'step'))), 1,
        now() + n * interval '1 second'
      from generate_series(1, 900) n`.execute(db)
    await sql`
      insert into run_records (run_id, position, key, kind, value, epoch)
      select ${runId}, 3000, 'asked', 'ask', json_build_object('events', json_build_array(json_build_object(
        'event', 'input_required', 'prompt', repeat('?', 100000), 'input_types', array['text'],
        'checkpoint_name', 'long900' || repeat('x', 4000)))), 1`.execute(db)
    const list = await listOf(sessionId, '?limit=1000')
    expect(JSON.stringify(list).length).toBeLessThan(2_200_000)
    expect(list.length).toBeGreaterThan(300)
    expect(list.at(-1)).toMatchObject({ id: `${runId}:long900`, prompt: '?'.repeat(500) })
  })

  it('states the cost up to each checkpoint, including the inherited cost [CK-02]', async () => {
    const { sessionId, runId, messageId } = await anAnsweredPlan(chat)
    const { db } = chat.app.deps
    await db.updateTable('ledger_entries').set({ amount: -0.5 }).where('run_id', '=', runId).execute()
    const fork = await returnTo(sessionId, messageId, 'after_step1')
    await db.updateTable('ledger_entries').set({ amount: -0.25 }).where('run_id', '=', fork.run_id).execute()
    const list = await listOf(sessionId)
    expect(list.map(({ cost }) => cost)).toEqual([0, 0.5, 0.5, 1, 1, 1.5, 1, 1.25])
  })
})

describe('a checkpoint label', () => {
  it('can be set, is visible on inheriting branches, and can be removed [SV-94]', async () => {
    const { sessionId, runId } = await anAnsweredPlan(chat)
    const id = `${runId}:after_step1`
    const before = (await listOf(sessionId)).find((item) => item.id === id)!
    const records = (await readRun(chat.app, runId)).records
    const named = await chat.call('PATCH', path(id), { label: '  Clauses verified ' })
    expect(named).toMatchObject({ status: 200, body: { ...before, label: 'Clauses verified' } })
    await chat.call('PATCH', path(id), { label: 'Again' })
    expect((await listOf(sessionId)).find((item) => item.id === id)?.label).toBe('Again')
    expect((await listOf(sessionId, '?named=true')).map((item) => item.id)).toEqual([id])
    expect((await chat.call('PATCH', path(id), { label: '' })).body.label).toBeNull()
    expect(await listOf(sessionId, '?named=true')).toEqual([])
    expect((await chat.call('PATCH', path(id), { label: 'x'.repeat(81) })).status).toBe(422)
    // Other fields of a checkpoint cannot be changed.
    await chat.call('PATCH', path(id), { label: null, checkpoint_name: 'other', kind: 'other' })
    expect((await listOf(sessionId)).find((item) => item.id === id)).toEqual(before)
    expect((await readRun(chat.app, runId)).records).toEqual(records)
  })
})

describe('a checkpoint comparison', () => {
  it('lists numbers first, then differing blocks and lines [SV-95]', async () => {
    const { sessionId, runId, messageId } = await anAnsweredPlan(chat)
    const [a, b] = [`${runId}:after_step0`, `${runId}:after_step2`]
    const query = (x: string, y: string) =>
      `/checkpoints/compare?a=${encodeURIComponent(x)}&b=${encodeURIComponent(y)}`
    const { status, body } = await chat.call('GET', query(a, b))
    expect(status).toBe(200)
    const whole: Comparison = body
    expect(whole.a.numbers).toMatchObject({ steps: 1, tokens: 110, tool_calls: 0, messages: 2 })
    expect(whole.b.numbers).toMatchObject({ steps: 3, tokens: 330, tool_calls: 0, messages: 2 })
    expect(whole.b.numbers.time_ms).toBeGreaterThan(whole.a.numbers.time_ms)
    expect(whole.blocks).toMatchObject([
      { kind: 'added', block: { type: 'step', number: 2 } },
      { kind: 'added', block: { type: 'step', number: 3 } },
    ])
    const own = runId.slice(0, 4)
    expect(whole.text.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      ...[`same Part 1 of ${own}.`, `added Part 2 of ${own}.`, `added Part 3 of ${own}.`, 'same '],
    ])
    const fork = await returnTo(sessionId, messageId, 'after_step1')
    const other = await chat.call('GET', query(b, `${fork.run_id}:after_step2`))
    expect(other.body.text.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['same', 'same', 'removed', 'added', 'same'],
    ])
    expect(other.body.b.numbers).toMatchObject({ steps: 3, tokens: 330, messages: 2 })
    const back: Comparison = (await chat.call('GET', query(b, a))).body
    expect(back.blocks).toMatchObject([
      { kind: 'removed', block: { type: 'step', number: 2 } },
      { kind: 'removed', block: { type: 'step', number: 3 } },
    ])
    expect(back.is_text_cut).toBe(false)
  })

  it('counts calls and reports when it compared only the start of the texts [SV-95]', async () => {
    const sessionId = await chat.aSession()
    const multiply = calls('calculator', { a: 6, b: 7, operation: 'multiply' })
    chat.model.reply([says('First. '), multiply], [says('long '.repeat(50_000))])
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const { run_id } = stream.view()!
    const compare = async (a: string, b: string): Promise<Comparison> => {
      const [left, right] = [a, b].map((key) => encodeURIComponent(`${run_id}:${key}`))
      return (await chat.call('GET', `/checkpoints/compare?a=${left}&b=${right}`)).body
    }
    const { a, b, blocks, is_text_cut } = await compare('llm_checkpoint_2', 'llm_checkpoint_1')
    expect([a.numbers.tool_calls, b.numbers.tool_calls]).toEqual([1, 0])
    expect(blocks).toMatchObject([{ kind: 'removed', block: { type: 'tool', tool_id: 'calculator' } }])
    expect(is_text_cut).toBe(false)
    for (const [one, other] of [
      ['llm_checkpoint_2', 'completed'] as const,
      ['completed', 'llm_checkpoint_2'] as const,
    ])
      expect((await compare(one, other)).is_text_cut).toBe(true)
  })
})

describe('compared beliefs', () => {
  it('are those in effect: the previous one before the end of a run, its own one after [SH-16, SV-95]', async () => {
    const sessionId = await chat.aSession()
    const say = async (content: string) => {
      chat.model.reply([says('Yes.')])
      const stream = await chat.ask(sessionId, content)
      await stream.ended
      return stream.view()!
    }
    const first = await say('One')
    const messageId = first.message_id
    await aBelief(chat.app, chat.user, { messageId, facts: ['A', 'B'], open_questions: ['Why?'] })
    const { run_id, message_id } = await say('Two')
    const compare = async (a: string, b: string): Promise<Comparison> => {
      const [left, right] = [a, b].map((key) => encodeURIComponent(`${run_id}:${key}`))
      return (await chat.call('GET', `/checkpoints/compare?a=${left}&b=${right}`)).body
    }
    const same = await compare('llm_checkpoint_1', 'completed')
    expect(same.belief).toEqual([])
    await aBelief(chat.app, chat.user, { messageId: message_id, facts: ['A', 'C', 'Why?'] })
    const { a, b, belief } = await compare('llm_checkpoint_1', 'completed')
    expect(belief).toEqual([
      { kind: 'removed', part: 'facts', text: 'B' },
      { kind: 'removed', part: 'open_questions', text: 'Why?' },
      { kind: 'added', part: 'facts', text: 'C' },
      { kind: 'added', part: 'facts', text: 'Why?' },
    ])
    expect([a.numbers, b.numbers]).toMatchObject([
      { facts: 2, open_questions: 1 },
      { facts: 3, open_questions: 0 },
    ])
  })
})

describe('another user', () => {
  it('gets 403, and 404 for unknown ids [SV-28, SV-29, SV-30, SV-31, SV-94, SV-95]', async () => {
    const { sessionId, runId, messageId } = await anAnsweredPlan(chat)
    const { headers } = await aUser(chat.app)
    const id = `${runId}:after_step1`
    const ask = (method: string, url: string, body?: unknown) => chat.call(method, url, body, headers)
    const routes = (session: string): [string, string][] => [
      ['GET', `/sessions/${session}/checkpoints`],
      ['POST', `/sessions/${session}/navigate-to-checkpoint`],
      ['POST', `/sessions/${session}/pause`],
      ['POST', `/sessions/${session}/resume`],
    ]
    for (const [method, url] of routes(sessionId)) {
      expect((await ask(method, url, method === 'POST' ? {} : undefined)).status, url).toBe(403)
    }
    for (const [method, url] of routes(crypto.randomUUID())) {
      expect((await ask(method, url, method === 'POST' ? {} : undefined)).status, url).toBe(404)
    }
    expect((await ask('PATCH', path(id), { label: 3 })).status).toBe(403)
    for (const unknown of [`${runId}:nothing`, `${crypto.randomUUID()}:step1`, 'nonsense']) {
      expect((await ask('PATCH', path(unknown), {})).status, unknown).toBe(404)
      expect((await ask('GET', `/checkpoints/compare?a=${unknown}&b=${id}`)).status, unknown).toBe(404)
    }
    expect((await ask('GET', `/checkpoints/compare?a=${id}&b=${id}`)).status).toBe(403)
    // A message of another session does not help either.
    const mine = await aSession(chat.app, chat.user)
    const astray = { checkpoint_name: 'step1', message_id: messageId }
    expect(await chat.call('POST', `/sessions/${mine.id}/navigate-to-checkpoint`, astray)).toMatchObject({
      ...{ status: 404, body: { detail: 'Target message for checkpoint navigation not found' } },
    })
  })
})
