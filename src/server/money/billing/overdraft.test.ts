import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aMessage, aSession } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type ModelRequest, says, waits } from '#tests/model-server.ts'
import { createReservations, readBalance } from './billing.ts'

const on = { ATRIUM_BILLING: 'on', ATRIUM_LIMIT_REPLIES_PER_USER: '100' }
/** Cost of one scripted call: 100 input and 20 output tokens. */
const COST = 2

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function aPaidChat(
  balance: number,
  user: { workingMemory?: boolean } = {},
  config = on,
): Promise<Chat> {
  const chat = await startChat({ app: { config }, user: { balance, ...user } })
  cleanups.push(() => chat.close())
  await chat.app.deps.db
    .insertInto('model_overrides')
    .values({
      model_id: 'compatible/scripted',
      offered: true,
      input_price: 10_000,
      output_price: 50_000,
      context_tokens: null,
    })
    .execute()
  return chat
}

async function aSecondProcess({ app, model }: Chat): Promise<TestApp> {
  const other = await startApp({
    address: app.address,
    config: { ...on, ATRIUM_COMPATIBLE_URL: model.url },
  })
  cleanups.push(() => other.close())
  return other
}

/** Sends a message in a new chat to one of the processes. */
async function send(chat: Chat, app: TestApp, metadata: Record<string, unknown> = {}) {
  const sessionId = await chat.aSession({ metadata })
  const answer = await app.http.inject({
    ...{ method: 'POST', url: '/api/v1/messages', headers: chat.user.headers },
    payload: { chat_session_id: sessionId, content: 'Hi' },
  })
  expect(answer.statusCode).toBeLessThan(300)
}

const statesOf = async ({ app }: Chat) => {
  const rows = await app.deps.db
    .selectFrom('runs')
    .select((row) => ['state', row.fn.countAll<number>().as('count')])
    .where('parent_run_id', 'is', null)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}
const atRest = (chat: Chat, states: Record<string, number>) =>
  expect.poll(() => statesOf(chat), { timeout: 30_000 }).toEqual(states)
const balanceOf = ({ app, user }: Chat) => readBalance(app.deps.db, user.id)

describe('concurrent model calls', () => {
  it.each([1, 2])('overdraw a balance by one call at most, in %i processes', async (processes) => {
    const chat = await aPaidChat(0.01)
    const apps = [chat.app]
    if (processes === 2) apps.push(await aSecondProcess(chat))
    const gate = aGate()
    chat.model.always([says('Hello.'), waits(gate.opened)])
    await Promise.all(Array.from({ length: 60 }, (_, at) => send(chat, apps[at % processes] ?? chat.app)))
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBeGreaterThan(0)
    gate.open()
    await atRest(chat, { completed: 1, paused: 59 })
    expect(chat.model.requests).toHaveLength(1)
    expect(await balanceOf(chat)).toBeCloseTo(0.01 - COST, 9)
  })

  it('run one after another while the balance lasts', async () => {
    const chat = await aPaidChat(7)
    const other = await aSecondProcess(chat)
    chat.model.always([says('Hello.')])
    await Promise.all(Array.from({ length: 6 }, (_, at) => send(chat, at % 2 ? other : chat.app)))
    // 7, 5, 3, 1: the balance allows four calls.
    await atRest(chat, { completed: 4, paused: 2 })
    expect(await balanceOf(chat)).toBeCloseTo(7 - 4 * COST, 9)
  })

  it('overdraw by one call at most in the parts of a task', async () => {
    const chat = await aPaidChat(COST + 0.01)
    const gate = aGate()
    const parts = [1, 2, 3, 4].map((n) => ({ description: `Part ${n}`, assistant: 'General assistant' }))
    chat.model.always((request: ModelRequest) =>
      request.response_format
        ? [says(JSON.stringify({ steps: parts }))]
        : [says('Done.'), waits(gate.opened)],
    )
    await send(chat, chat.app, { agent_type: 'orchestrator' })
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBeGreaterThan(1)
    gate.open()
    await atRest(chat, { paused: 1 })
    expect(chat.model.requests).toHaveLength(2)
    expect(await balanceOf(chat)).toBeCloseTo(0.01 - COST, 9)
  })

  it('are charged after a stop before another one starts', async () => {
    const chat = await aPaidChat(0.01)
    const sessions = await Promise.all([1, 2, 3].map(() => chat.aSession()))
    const gate = aGate()
    cleanups.push(() => gate.open())
    chat.model.always([says('Hello.'), waits(gate.opened)])
    const streams = []
    for (const id of sessions) streams.push(await chat.ask(id, 'Hi'))
    await streams[0]?.until('response_chunk')
    await chat.call('POST', `/sessions/${sessions[0]}/stop`)
    await atRest(chat, { stopped: 1, paused: 2 })
    expect(chat.model.requests).toHaveLength(1)
  })

  it('pause after waiting too long, and resume when the blocking call is settled', async () => {
    const chat = await aPaidChat(COST + 1)
    chat.app.deps.engine.reservations = createReservations(chat.app.deps, 200)
    const gate = aGate()
    chat.model.reply([says('Hello.'), waits(gate.opened)])
    await send(chat, chat.app)
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBe(1)
    await send(chat, chat.app)
    await atRest(chat, { running: 1, paused: 1 })
    expect(await balanceOf(chat)).toBe(COST + 1)
    gate.open()
    await atRest(chat, { completed: 2 })
    expect(await balanceOf(chat)).toBeCloseTo(1 - COST, 9)
  })

  it('include the working memory update after a reply', async () => {
    const chat = await aPaidChat(COST + 1, { workingMemory: true })
    const gate = aGate()
    chat.model.always(({ response_format }: ModelRequest) =>
      response_format
        ? [says('{"goals":[],"facts":[],"open_questions":[]}'), waits(gate.opened)]
        : [says('Hello.')],
    )
    await send(chat, chat.app)
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBe(2)
    await send(chat, chat.app)
    await expect
      .poll(() => chat.app.deps.db.selectFrom('balance_reservations').select('amount').execute())
      .toHaveLength(1)
    gate.open()
    await atRest(chat, { completed: 1, paused: 1 })
    expect(chat.model.requests).toHaveLength(2)
    expect(await balanceOf(chat)).toBeCloseTo(1 - COST, 9)
  })

  it('include the summary of older messages', async () => {
    const chat = await aPaidChat(1)
    await chat.app.deps.db.updateTable('model_overrides').set({ context_tokens: 4_000 }).execute()
    const { id } = await aSession(chat.app, chat.user, { modelName: 'compatible/scripted' })
    let parentId: string | undefined
    for (let turn = 0; turn < 12; turn++) {
      const role = turn % 2 ? ('assistant' as const) : ('user' as const)
      parentId = (await aMessage(chat.app, id, { parentId, role, content: 'Many words again. '.repeat(80) }))
        .id
    }
    const stream = await chat.ask(id, 'Hi')
    await stream.ended
    // The first of several calls used up the balance.
    expect(stream.view()?.status).toBe('paused')
    expect(chat.model.requests).toHaveLength(1)
    expect(JSON.stringify(chat.model.requests)).toContain('You keep the memory')
    expect(await balanceOf(chat)).toBeCloseTo(1 - COST, 9)
  })

  it('reserve nothing while billing is off', async () => {
    const chat = await aPaidChat(1, {}, { ...on, ATRIUM_BILLING: 'off' })
    const { db } = chat.app.deps
    await sql`drop function reserve_balance, release_reservations`.execute(db)
    await sql`drop table balance_reservations`.execute(db)
    await send(chat, chat.app)
    await atRest(chat, { completed: 1 })
    expect(await balanceOf(chat)).toBeCloseTo(1 - COST, 9)
  })

  it('wait for nothing with a model without a price', async () => {
    const chat = await aPaidChat(0.01)
    await chat.app.deps.db.deleteFrom('model_overrides').execute()
    const gate = aGate()
    chat.model.always([says('Hello.'), waits(gate.opened)])
    await Promise.all(Array.from({ length: 5 }, () => send(chat, chat.app)))
    await expect.poll(() => chat.model.requests.length, { timeout: 20_000 }).toBe(5)
    gate.open()
    await atRest(chat, { completed: 5 })
  })
})

describe('a call that fails', () => {
  it('releases its reservation', async () => {
    const chat = await aPaidChat(0.01)
    chat.model.reply([{ do: 'fail', status: 400, message: 'No.' }])
    await send(chat, chat.app)
    await atRest(chat, { failed: 1 })
    await send(chat, chat.app)
    await atRest(chat, { failed: 1, completed: 1 })
    const left = await chat.app.deps.db.selectFrom('balance_reservations').selectAll().execute()
    expect(left).toEqual([])
  })
})
