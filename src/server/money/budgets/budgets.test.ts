import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import type { Budget } from '#shared/money/budgets/budgets.ts'
import { anApiKey } from '#tests/api-key.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, type ModelRequest, says, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

/** Cost of one scripted call: 100 input and 20 output tokens. */
const COST = 2
const [general = ''] = builtInIds

let chat: Chat
let admin: TestUser
let company: string
let group: string
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_LIMIT_REPLIES_PER_USER: '100' } } })
  admin = await aUser(chat.app, { role: 'super_admin' })
  company = await aCompany(chat.app)
  await chat.app.deps.db
    .insertInto('company_members')
    .values({ company_id: company, user_id: chat.user.id, role: 'member' })
    .execute()
  group = await aGroup('Night shift')
  // Each of a user's groups counts separately.
  await aGroup('Day shift')
  await chat.app.deps.db
    .insertInto('model_overrides')
    .values({
      ...{ model_id: 'compatible/scripted', offered: true, context_tokens: null },
      ...{ input_price: 10_000, output_price: 50_000 },
    })
    .execute()
})
afterAll(() => chat.close())
afterEach(() => chat.app.deps.db.deleteFrom('budgets').execute())

/** Creates a company group with the user in it. */
async function aGroup(name: string): Promise<string> {
  const { db } = chat.app.deps
  const { id } = await db
    .insertInto('groups')
    .values({ company_id: company, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('group_members')
    .values({ group_id: id, company_id: company, user_id: chat.user.id })
    .execute()
  return id
}

type Wish = Pick<Budget, 'kind' | 'period' | 'subject_id' | 'amount'>
const ask = (user: TestUser, method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  chat.app.http.inject({
    ...{ method, url: `/api/v1/admin/budgets${path}`, headers: user.headers },
    ...(payload ? { payload } : {}),
  })
const set = async (wish: Wish) => {
  const answer = await ask(admin, 'PUT', '', wish)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Budget
}
const remove = async ({ id }: Budget) => {
  expect((await ask(admin, 'DELETE', `/${id}`)).statusCode).toBe(204)
}

type WireBody = {
  error: { code: string; message: string }
  choices?: [{ message: { content: string } }]
}

/** Two calls: a tool call and the answer. */
const twoCalls = () =>
  chat.model.always(({ messages }: ModelRequest) =>
    messages.at(-1)?.role === 'tool'
      ? [says('42')]
      : [calls('calculator', { a: 6, b: 7, operation: 'multiply' })],
  )

/** Runs a reply with two model calls; resolves when it pauses or ends. */
async function aReply(headers = chat.user.headers): Promise<string> {
  twoCalls()
  const sessionId = await chat.aSession({ metadata: { assistant_id: general } })
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
    ...{ method: 'POST', headers, body: { content: 'How much?' } },
  })
  await stream.ended
  return stream.view()?.run_id ?? ''
}
const stateOf = async (runId: string) => (await readRun(chat.app, runId)).run.state
const completes = (runId: string) => expect.poll(() => stateOf(runId), { timeout: 10_000 }).toBe('completed')
const spentOf = async (budget: Budget) => {
  const { items } = (await ask(admin, 'GET', '')).json() as { items: Budget[] }
  return items.find(({ id }) => id === budget.id)?.spent
}
const nameOf = async (id: string) =>
  (
    await chat.app.deps.db
      .selectFrom('companies')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).name
const usedToday = async () => {
  const rows = await chat.app.deps.db.selectFrom('usage_days').select('amount').execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

describe('a budget', () => {
  it.each<[string, () => Pick<Wish, 'kind' | 'subject_id'>]>([
    ['the house', () => ({ kind: 'house', subject_id: null })],
    ['a company', () => ({ kind: 'company', subject_id: company })],
    ['a group', () => ({ kind: 'group', subject_id: group })],
    ['a person', () => ({ kind: 'user', subject_id: chat.user.id })],
    ['an assistant', () => ({ kind: 'assistant', subject_id: general })],
  ])(
    'of %s pauses a reply at a checkpoint when the day or month is used up, and raising it resumes the reply [AD-07]',
    async (_, of) => {
      for (const period of ['day', 'month'] as const) {
        const before = await set({ ...of(), period, amount: 1_000_000 })
        const budget = await set({ ...of(), period, amount: (before.spent ?? 0) + 1 })
        expect(budget.id).toBe(before.id)
        const runId = await aReply()
        const { run } = await readRun(chat.app, runId)
        expect(run).toMatchObject({ state: 'paused', paused_for: 'budget', paused_budget: budget.id })
        const pause = (await readRun(chat.app, runId)).records.findLast(({ kind }) => kind === 'pause')
        expect(JSON.stringify(pause?.value)).toContain(
          `"budget":{"kind":"${budget.kind}","period":"${period}"}`,
        )
        expect(await spentOf(budget)).toBe((before.spent ?? 0) + COST)
        await set({ ...budget, amount: budget.amount + 10 })
        await completes(runId)
        await remove(budget)
      }
    },
  )

  it('of an API key pauses a reply at a checkpoint, whoever set it, and raising it resumes the reply [AD-07]', async () => {
    const { key, headers } = await anApiKey(chat.app, chat.user, { scopes: ['chats'], monthly_budget: 1 })
    const raise = (monthly_budget: number | null) =>
      chat.call('PATCH', `/users/me/api-keys/${key.id}`, { monthly_budget })
    const own = await aReply(headers)
    const { run, records } = await readRun(chat.app, own)
    expect(run).toMatchObject({ state: 'paused', paused_for: 'budget', paused_budget: key.id })
    expect(records.at(-1)).toMatchObject({ kind: 'pause' })
    const refused = await chat.call(
      'POST',
      '/messages',
      { chat_session_id: await chat.aSession(), content: 'Hi' },
      headers,
    )
    expect([refused.status, refused.body.code]).toEqual([402, 'budget_used_up'])
    expect((await raise(10)).body).toMatchObject({ id: key.id, monthly_budget: 10, spent: COST })
    await completes(own)
    for (const period of ['day', 'month'] as const) {
      const before = await set({ kind: 'key', subject_id: key.id, period, amount: 1_000 })
      const budget = await set({ ...before, amount: (before.spent ?? 0) + 1 })
      const runId = await aReply(headers)
      expect((await readRun(chat.app, runId)).run).toMatchObject({ paused_budget: budget.id })
      await set({ ...budget, amount: 1_000 })
      await completes(runId)
      await remove(budget)
      await raise(null)
    }
  })

  it('of an API key answers 402 on the OpenAI wire, and the same call succeeds after it is raised', async () => {
    const scopes = ['chat', 'assistants'] as const
    const { key, headers } = await anApiKey(chat.app, chat.user, { scopes: [...scopes], monthly_budget: 1 })
    twoCalls()
    const send = async () => {
      const answer = await fetch(`${chat.url.replace('/api/v1', '/v1')}/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key.id },
        body: JSON.stringify({
          model: `assistant/${general}`,
          messages: [{ role: 'user', content: 'How much?' }],
        }),
      })
      return { status: answer.status, body: (await answer.json()) as WireBody }
    }
    const stopped = await send()
    expect([stopped.status, stopped.body.error.code]).toEqual([402, 'insufficient_quota'])
    expect(stopped.body.error.message).toContain('stands still')
    await chat.call('PATCH', `/users/me/api-keys/${key.id}`, { monthly_budget: null })
    await expect
      .poll(async () => (await send()).body.choices?.[0].message.content, { timeout: 10_000 })
      .toBe('42')
  })

  it("of a group counts its members' usage and nothing of other groups or companies", async () => {
    const [night, day] = [
      await set({ kind: 'group', subject_id: group, period: 'month', amount: 1_000 }),
      await set({ kind: 'group', subject_id: await aGroup('Late shift'), period: 'month', amount: 1_000 }),
    ]
    const other = await aCompany(chat.app)
    const elsewhere = await chat.app.deps.db
      .insertInto('groups')
      .values({ company_id: other, name: 'Sales' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sales = await set({ kind: 'group', subject_id: elsewhere.id, period: 'month', amount: 1_000 })
    expect(night.name).toBe(`Night shift · ${await nameOf(company)}`)
    await completes(await aReply())
    expect([await spentOf(night), await spentOf(day), await spentOf(sales)]).toEqual([
      (night.spent ?? 0) + 2 * COST,
      2 * COST,
      0,
    ])
    for (const budget of [night, day, sales]) await remove(budget)
  })

  it('resumes paused replies when it is removed', async () => {
    const budget = await set({
      kind: 'user',
      subject_id: chat.user.id,
      period: 'day',
      amount: (await usedToday()) + 1,
    })
    const runId = await aReply()
    expect(await stateOf(runId)).toBe('paused')
    await remove(budget)
    await completes(runId)
  })

  it('starts over on a new day', async () => {
    const budget = await set({ kind: 'user', subject_id: chat.user.id, period: 'day', amount: 1_000 })
    const { db } = chat.app.deps
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await db
      .updateTable('budgets')
      .set({ since: yesterday, spent: 1_000, amount: 3 })
      .where('id', '=', budget.id)
      .execute()
    expect(await spentOf(budget)).toBe(0)
    await completes(await aReply())
    expect(await spentOf(budget)).toBe(2 * COST)
    await remove(budget)
  })

  it('refuses new messages with a helpful sentence when it is used up', async () => {
    const budget = await set({ kind: 'company', subject_id: company, period: 'month', amount: 0 })
    const sessionId = await chat.aSession()
    const answer = await chat.call('POST', '/messages', { chat_session_id: sessionId, content: 'Hi' })
    expect(answer.status).toBe(402)
    expect(answer.body).toEqual({
      code: 'budget_used_up',
      detail:
        "This month's budget of your company is used up. Ask an administrator to raise it, or go on next month (UTC).",
    })
    await remove(budget)
  })

  it('is exceeded by one call at most with fifty concurrent replies', async () => {
    const before = await set({ kind: 'company', subject_id: company, period: 'month', amount: 1_000_000 })
    const budget = await set({ ...before, amount: (before.spent ?? 0) + 1 })
    const gate = aGate()
    chat.model.always([says('Hello.'), waits(gate.opened)])
    const sessions = await Promise.all(Array.from({ length: 50 }, () => chat.aSession()))
    const answers = await Promise.all(
      sessions.map((id) => chat.call('POST', '/messages', { chat_session_id: id, content: 'Hi' })),
    )
    expect(answers.filter(({ status }) => status >= 300)).toEqual([])
    gate.open()
    const states = async () => {
      const rows = await chat.app.deps.db
        .selectFrom('runs')
        .select((row) => ['state', row.fn.countAll<number>().as('count')])
        .where('session_id', 'in', sessions)
        .groupBy('state')
        .execute()
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
    }
    await expect.poll(states, { timeout: 30_000 }).toEqual({ completed: 1, paused: 49 })
    expect(((await spentOf(budget)) ?? 0) - budget.amount).toBe(COST - 1)
    await set({ ...budget, amount: 1_000_000 })
    await expect.poll(states, { timeout: 60_000 }).toEqual({ completed: 50 })
    await remove(budget)
  })

  it('warns those in charge once, at 80 % [AD-07]', async () => {
    const boss = await aUser(chat.app, { companyId: company, role: 'company_admin' })
    const before = await set({ kind: 'company', subject_id: company, period: 'month', amount: 1_000_000 })
    const spent = before.spent ?? 0
    // Two calls exceed 80 %, with some left.
    await set({ ...before, amount: Math.ceil((spent + COST) / 0.8) })
    for (let n = 0; n < 2; n++) await completes(await aReply())
    const told = async ({ id }: TestUser) =>
      (
        await chat.app.deps.db
          .selectFrom('user_events')
          .select('data')
          .where('user_id', '=', id)
          .where('kind', '=', 'budget_warning')
          .execute()
      )
        .map(({ data }) => data as unknown as Budget)
        .filter(({ kind }) => kind === 'company')
    expect(await told(boss)).toMatchObject([{ kind: 'company', period: 'month' }])
    expect(await told(chat.user)).toEqual([])
    await remove(before)
  })
})

describe('the budget of an assistant per reply', () => {
  it("pauses a reply when it or the assistant's daily budget is used up, and no other reply [XA-07]", async () => {
    const reply = await set({ kind: 'assistant', subject_id: general, period: 'reply', amount: 1 })
    expect(reply).toMatchObject({ name: 'General assistant', spent: null })
    const [first, second] = [await aReply(), await aReply()]
    for (const runId of [first, second])
      expect((await readRun(chat.app, runId)).run).toMatchObject({ state: 'paused', paused_budget: reply.id })
    await set({ ...reply, amount: 3 })
    await completes(first)
    await completes(second)
    const day = await set({ kind: 'assistant', subject_id: general, period: 'day', amount: 1_000_000 })
    await set({ ...day, amount: (day.spent ?? 0) + 1 })
    const third = await aReply()
    expect((await readRun(chat.app, third)).run).toMatchObject({ state: 'paused', paused_budget: day.id })
    await remove(day)
    await completes(third)
    await remove(reply)
  })
})

describe("a user's limits", () => {
  it('are shown with the spending and the end of the period, without those of others [AD-07]', async () => {
    const { key } = await anApiKey(chat.app, chat.user, { monthly_budget: 4 })
    await set({ kind: 'user', subject_id: chat.user.id, period: 'day', amount: 1_000 })
    await set({ kind: 'key', subject_id: key.id, period: 'month', amount: 9 })
    await set({ kind: 'user', subject_id: admin.id, period: 'day', amount: 1 })
    await set({ kind: 'company', subject_id: company, period: 'day', amount: 1_000 })
    const { items, total } = (await chat.call('GET', '/users/me/budgets')).body
    const now = new Date()
    const [y, m, d] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
    const day = new Date(Date.UTC(y, m, d + 1)).toISOString()
    const month = new Date(Date.UTC(y, m + 1, 1)).toISOString()
    const ofKey = { kind: 'key', subject_id: key.id, name: 'ERP', spent: 0, until: month }
    const mine = items.filter(({ subject_id }: Budget) => [chat.user.id, key.id].includes(subject_id ?? ''))
    expect(mine).toMatchObject([
      { kind: 'user', period: 'day', amount: 1_000, spent: await usedToday(), until: day, is_own: false },
      { ...ofKey, amount: 9, is_own: false },
      { ...ofKey, amount: 4, is_own: true },
    ])
    expect(items.map(({ kind }: Budget) => kind)).not.toContain('company')
    expect(total).toBe(items.length)
    const theirs = (await chat.call('GET', '/users/me/budgets', undefined, admin.headers)).body.items
    expect(theirs).toMatchObject([{ kind: 'user', amount: 1, spent: 0 }])
  })
})

describe('setting budgets', () => {
  it("counts today's spending from the start and is audited", async () => {
    const used = await usedToday()
    const budget = await set({ kind: 'house', subject_id: null, period: 'month', amount: 1_000_000 })
    expect(budget).toMatchObject({ name: null, amount: 1_000_000, spent: used })
    await remove(budget)
    const { rows } = { rows: await chat.app.deps.db.selectFrom('budgets').select('id').execute() }
    expect(rows).toEqual([])
  })

  it.each([
    [{ kind: 'house', subject_id: crypto.randomUUID(), period: 'day', amount: 1 }, 422],
    [{ kind: 'company', subject_id: null, period: 'day', amount: 1 }, 422],
    [{ kind: 'house', subject_id: null, period: 'reply', amount: 1 }, 422],
    [{ kind: 'house', subject_id: null, period: 'day', amount: -1 }, 422],
    [{ kind: 'user', subject_id: crypto.randomUUID(), period: 'day', amount: 1 }, 404],
  ])('refuses %j', async (wish, status) => {
    expect((await ask(admin, 'PUT', '', wish)).statusCode).toBe(status)
  })

  it('is limited to super admins', async () => {
    const boss = await aUser(chat.app, { companyId: company, role: 'company_admin' })
    expect((await ask(boss, 'GET', '')).statusCode).toBe(403)
    expect(
      (await ask(boss, 'PUT', '', { kind: 'house', subject_id: null, period: 'day', amount: 1 })).statusCode,
    ).toBe(403)
  })

  it('searches possible subjects by name', async () => {
    const shown = async (kind: string, q: string) =>
      (await ask(admin, 'GET', `/subjects?${new URLSearchParams({ kind, q })}`)).json().items
    expect(await shown('assistant', 'gener')).toMatchObject([{ id: general, name: 'General assistant' }])
    expect(await shown('user', admin.username)).toMatchObject([{ id: admin.id, detail: admin.email }])
    expect(await shown('key', 'nothing like it')).toEqual([])
  })
})
