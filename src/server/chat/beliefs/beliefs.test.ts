import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, type ModelRequest, type Script, says, waits } from '#tests/model-server.ts'
import { switchOffTrash } from '#tests/no-trash.ts'
import { keepBelief } from './keep-belief.ts'

type Lists = { goals?: Said[]; facts?: Said[]; open_questions?: Said[] }
type Said = { text: string; from: string }

let chat: Chat
beforeAll(async () => {
  const config = { ATRIUM_BILLING: 'on' }
  chat = await startChat({ user: { workingMemory: true, balance: 100 }, app: { config } })
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
})

/** Builds the model's answer to a belief request. */
const remembers = ({ goals = [], facts = [], open_questions = [] }: Lists): Script => [
  says(JSON.stringify({ goals, facts, open_questions })),
]
const fact = (text: string, from = 'reply') => ({ facts: [{ text, from }] })
const read = async (id: string) => (await chat.call('GET', `/sessions/${id}/belief`)).body
/** Returns the belief when no update is pending. */
async function settled(id: string) {
  for (;;) {
    const belief = await read(id)
    if (!belief.is_pending) return belief
    await sleep(20)
  }
}
async function say(id: string, content: string) {
  const stream = await chat.ask(id, content)
  await stream.ended
  return stream.view()!
}
const turnIn = (request: ModelRequest | undefined) => JSON.parse(String(request?.messages.at(-1)?.content))
const isForBelief = (request: ModelRequest) =>
  JSON.stringify(request.response_format ?? '').includes('belief')
const usageOf = (runId: string) =>
  chat.app.deps.db
    .selectFrom('ledger_entries')
    .select(['reason', 'kind'])
    .where('run_id', '=', runId)
    .orderBy('created_at')
    .execute()
const keep = (working_memory: boolean) =>
  chat.call('PUT', '/users/me/preferences', { preferences: { working_memory } })
const textsOf = (entries: { text: string }[]) => entries.map(({ text }) => text)

describe('the belief of a session', () => {
  it('is empty before the first reply and private to its user [SV-89]', async () => {
    const id = await chat.aSession()
    expect(await read(id)).toEqual({
      ...{ goals: [], facts: [], open_questions: [] },
      ...{ updated_at: null, message_id: null, is_pending: false },
    })
    const stranger = await aUser(chat.app)
    const status = async (session: string, headers = stranger.headers) =>
      (await chat.app.http.inject({ url: `/api/v1/sessions/${session}/belief`, headers })).statusCode
    expect(await status(id)).toBe(403)
    expect(await status('00000000-0000-4000-8000-000000000000')).toBe(404)
  })

  it.each([
    ['a belief', JSON.stringify({ goals: [], facts: [], open_questions: [] })],
    ['an answer that is none', 'Not a belief.'],
  ])('is charged even if its chat is deleted while the model writes %s', async (_, text) => {
    const entries = () =>
      chat.app.deps.db
        .selectFrom('ledger_entries')
        .select(['kind', 'run_id'])
        .where('reason', '=', 'belief')
        .where('session_id', 'is', null)
        .execute()
    const before = (await entries()).length
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('Yes.')], [waits(gate.opened), says(text)])
    await say(id, 'Is it?')
    while (chat.model.requests.length < 2) await sleep(20)
    await switchOffTrash(chat.app)
    // The reply was booked with its chat; deletion leaves that entry without one.
    await chat.call('DELETE', `/sessions/${id}`)
    gate.open()
    await expect
      .poll(async () => (await entries()).slice(before), { timeout: 10_000 })
      .toEqual([{ kind: 'usage', run_id: null }])
  })

  it("comes from the run's own model, with the source messages [SH-16, SV-89, R-02]", async () => {
    const id = await chat.aSession()
    const events = await chat.follow(`/sessions/${id}/events`)
    await events.until('connection_established')
    chat.model.reply(
      [calls('calculator', { a: 6, b: 7, operation: 'multiply' })],
      [says('It is 42 EUR.')],
      remembers({
        goals: [{ text: 'Set the price', from: 'question' }],
        facts: [{ text: 'The price is 42 EUR', from: 'reply' }],
        open_questions: [{ text: 'Who signs?', from: 'nobody' }],
      }),
    )
    const view = await say(id, 'What does it cost?')
    const belief = await settled(id)
    const [question, reply] = [view.user_message_id, view.message_id]
    expect(belief).toEqual({
      goals: [{ text: 'Set the price', message_id: question }],
      facts: [{ text: 'The price is 42 EUR', message_id: reply }],
      open_questions: [{ text: 'Who signs?', message_id: reply }],
      ...{ updated_at: expect.stringMatching(/^20\d\d-.*Z$/), message_id: reply, is_pending: false },
    })
    expect(chat.model.requests).toHaveLength(3)
    expect(turnIn(chat.model.requests[2])).toEqual({
      memory: { goals: [], facts: [], open_questions: [] },
      question: 'What does it cost?',
      tools: [{ name: 'Calculator', result: expect.stringContaining('42'), failed: false }],
      reply: 'It is 42 EUR.',
    })
    expect(JSON.parse((await events.until('belief_updated')).data)).toEqual({
      session_id: id,
      message_id: reply,
    })
    events.leave()
  })

  it('is built only from the previous one and the new turn, up to a size limit [SH-16]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('First.')], remembers(fact('A', 'question')))
    const first = await say(id, 'Remember A')
    await settled(id)
    const long = 'word '.repeat(20_000)
    chat.model.reply(
      [says(long)],
      remembers({
        facts: [
          { text: 'A', from: 'reply' },
          { text: 'B', from: 'm1' },
        ],
      }),
    )
    await say(id, 'And B')
    const belief = await settled(id)
    const asked = chat.model.requests.filter(isForBelief)[1]
    expect(JSON.stringify(asked).length).toBeLessThan(30_000)
    expect(turnIn(asked)).toMatchObject({ memory: { facts: [{ text: 'A', from: 'm1' }] }, question: 'And B' })
    // Unchanged entries keep their source.
    expect(belief.facts).toEqual([
      { text: 'A', message_id: first.user_message_id },
      { text: 'B', message_id: first.user_message_id },
    ])
  })

  it('follows the visible branch [SH-16]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('One.')], remembers(fact('A')), [says('Two.')], remembers(fact('B')))
    const first = await say(id, 'One')
    await settled(id)
    const second = await say(id, 'Two')
    expect(textsOf((await settled(id)).facts)).toEqual(['B'])
    chat.model.reply([says('Other.')], remembers(fact('C')))
    await chat.ask(id, { content: 'Other', parent_id: first.message_id }).then((stream) => stream.ended)
    expect(textsOf((await settled(id)).facts)).toEqual(['C'])
    const other = chat.model.requests.filter(isForBelief).at(-1)
    expect(turnIn(other).memory.facts).toEqual([{ text: 'A', from: 'm1' }])
    await chat.call('POST', `/sessions/${id}/navigate/${second.message_id}`)
    const back = await settled(id)
    expect([textsOf(back.facts), back.message_id]).toEqual([['B'], second.message_id])
  })

  it('includes both of two consecutive replies, in order [SH-16]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('One.')], [waits(gate.opened), ...(remembers(fact('A')) as [])], [says('Two.')])
    await say(id, 'One')
    while (chat.model.requests.length < 2) await sleep(10)
    await say(id, 'Two')
    chat.model.reply(
      remembers({
        facts: [
          { text: 'A', from: 'm1' },
          { text: 'B', from: 'reply' },
        ],
      }),
    )
    expect((await read(id)).is_pending).toBe(true)
    gate.open()
    expect(textsOf((await settled(id)).facts)).toEqual(['A', 'B'])
    expect(turnIn(chat.model.requests.at(-1)).memory.facts).toEqual([{ text: 'A', from: 'm1' }])
  })

  it('stays unchanged and free of charge when the model fails or answers nonsense [SH-16]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('One.')], remembers(fact('A')), [says('Two.')], [says('I would rather not.')])
    await say(id, 'One')
    await settled(id)
    const odd = await say(id, 'Two')
    expect(textsOf((await settled(id)).facts)).toEqual(['A'])
    expect(await usageOf(odd.run_id)).toEqual([
      { reason: 'reply', kind: 'usage' },
      { reason: 'belief', kind: 'absorbed' },
    ])
    chat.model.reply([says('Three.')], [fails(400)])
    const failed = await say(id, 'Three')
    expect(textsOf((await settled(id)).facts)).toEqual(['A'])
    expect(await usageOf(failed.run_id)).toEqual([{ reason: 'reply', kind: 'usage' }])
    expect(failed.status).toBe('completed')
  })

  it('includes a stopped reply that has text [SH-16]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('Half a'), waits(gate.opened)], remembers(fact('Half')))
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${id}/stop`)
    await stream.ended
    gate.open()
    expect(textsOf((await settled(id)).facts)).toEqual(['Half'])
    expect(turnIn(chat.model.requests.at(-1)).reply).toBe('Half a')
  })
})

describe('the cost of a belief', () => {
  it('is booked once under its own name, even if several processes request it [SH-16, SH-29]', async () => {
    const id = await chat.aSession()
    await keep(false)
    chat.model.reply([says('One.')])
    const { run_id } = await say(id, 'One')
    await keep(true)
    chat.model.reply(remembers(fact('A')), remembers(fact('A')))
    const { signal } = new AbortController()
    await Promise.all([1, 2].map(() => keepBelief(chat.app.deps, run_id, signal)))
    await keepBelief(chat.app.deps, run_id, signal)
    expect(textsOf((await settled(id)).facts)).toEqual(['A'])
    expect(await usageOf(run_id)).toEqual([
      { reason: 'reply', kind: 'usage' },
      { reason: 'belief', kind: 'usage' },
    ])
    expect(chat.model.requests).toHaveLength(3)
  })

  it('is avoided when the balance is used up [SH-16]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('One'), waits(gate.opened)])
    const stream = await chat.ask(id, 'One')
    await stream.until('response_chunk')
    const spend = (amount: number) =>
      chat.app.deps.db
        .insertInto('ledger_entries')
        .values({ user_id: chat.user.id, kind: 'correction', amount })
        .execute()
    await spend(-100)
    gate.open()
    await stream.ended
    expect(await settled(id)).toMatchObject({ facts: [], message_id: null })
    await spend(100)
    expect(chat.model.requests).toHaveLength(1)
  })

  it('is avoided for users who disabled beliefs [SH-16]', async () => {
    const id = await chat.aSession()
    await keep(false)
    chat.model.reply([says('One.')])
    await say(id, 'One')
    expect(await read(id)).toMatchObject({ facts: [], is_pending: false })
    await keep(true)
    chat.model.reply([says('Two.')], remembers(fact('B')))
    await say(id, 'Two')
    expect(textsOf((await settled(id)).facts)).toEqual(['B'])
    expect(chat.model.requests).toHaveLength(3)
  })
})

describe('a pending belief', () => {
  it('is requested again by another process when its own one stops [SH-16]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('One.')], [waits(gate.opened)])
    const { run_id } = await say(id, 'One')
    while (chat.model.requests.length < 2) await sleep(10)
    const config = { ATRIUM_COMPATIBLE_URL: chat.model.url, ATRIUM_BILLING: 'on' }
    const twin = await startApp({ address: chat.app.address, config })
    chat.model.reply(remembers(fact('A')))
    await chat.app.deps.jobs.stop()
    expect(textsOf((await settled(id)).facts)).toEqual(['A'])
    expect(await usageOf(run_id)).toHaveLength(2)
    gate.open()
    await twin.close()
    await chat.app.deps.jobs.start()
  })
})

describe('the built-in model', () => {
  it("remembers the request, its result in the user's words, and open questions [SH-16]", async () => {
    const id = await chat.aSession({ modelName: 'atrium/offline' })
    const first = await say(id, 'What is 12 * 7?')
    expect(await settled(id)).toMatchObject({
      goals: [{ text: 'What is 12 * 7?', message_id: first.user_message_id }],
      facts: [{ text: '12 × 7 = 84.', message_id: first.message_id }],
      open_questions: [],
    })
    const second = await say(id, 'Who will win the election?')
    expect(await settled(id)).toMatchObject({
      facts: [{ text: '12 × 7 = 84.', message_id: first.message_id }],
      open_questions: [{ text: 'Who will win the election?', message_id: second.user_message_id }],
    })
    await say(id, 'Summarise:\nThe contract ends in May. It can be renewed once.')
    expect(textsOf((await settled(id)).facts)).toEqual([
      ...['12 × 7 = 84.', 'The contract ends in May.', 'It can be renewed once.'],
    ])
  })
})
