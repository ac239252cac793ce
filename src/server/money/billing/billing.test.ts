import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser } from '#tests/builders.ts'
import {
  assertBalance,
  grantStartingBalance,
  readBalance,
  recordAbsorbed,
  recordUsage,
  type UsageEntry,
} from './billing.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_BILLING: 'on', ATRIUM_STARTING_BALANCE: '5' } })
})
afterAll(() => app.close())

async function anEntry(user_id: string, amount: number): Promise<UsageEntry> {
  const run = await app.deps.db
    .insertInto('runs')
    .values({ id: randomUUID(), kind: 'tool', user_id, agent_type: 'multi_turn', agent_version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const usage = {
    input_tokens: 10,
    output_tokens: 20,
    cached_tokens: 0,
    reasoning_tokens: 0,
    estimated: false,
  }
  const price = { amount, unpriced: false }
  return {
    user_id,
    session_id: null,
    run_id: run.id,
    step_key: 'answer',
    attempt: 1,
    model_name: 'house/large',
    usage,
    price,
    reason: 'reply',
  }
}

const billing = async (headers: { authorization: string }, query = '') =>
  (await app.http.inject({ url: `/api/v1/users/me/billing${query}`, headers })).json()

const topUp = (headers: { authorization: string }, userId: string, amount: number | string) =>
  app.http.inject({
    ...{ method: 'POST', url: `/api/v1/admin/users/${userId}/top-up` },
    headers: { ...headers, 'content-type': 'application/json' },
    payload: `{"amount":${amount}}`,
  })

describe('billing', () => {
  it('charges a committed step once, even if it is reported repeatedly', async () => {
    const user = await aUser(app, { balance: 1 })
    const entry = await anEntry(user.id, 0.25)
    await Promise.all([1, 2, 3].map(() => recordUsage(app.deps.db, entry)))
    expect(await readBalance(app.deps.db, user.id)).toBeCloseTo(0.75, 9)
  })

  it('records a lost attempt without charging it', async () => {
    const user = await aUser(app, { balance: 1 })
    await recordAbsorbed(app.deps.db, await anEntry(user.id, 0.25))
    expect(await readBalance(app.deps.db, user.id)).toBe(1)
    expect((await billing(user.headers)).items[0]).toMatchObject({ kind: 'absorbed', amount: 0 })
  })

  it('adds amounts far below a cent exactly', async () => {
    const user = await aUser(app, { balance: 1 })
    for (let i = 0; i < 10; i += 1) await recordUsage(app.deps.db, await anEntry(user.id, 0.0000001))
    expect(await readBalance(app.deps.db, user.id)).toBe(0.999999)
  })

  it('refuses with the insufficient-balance text when the balance is empty', async () => {
    const user = await aUser(app, { balance: 0 })
    await expect(assertBalance(app.deps, user.id)).rejects.toMatchObject({
      status: 402,
      detail: 'Insufficient balance. Please top up to continue.',
    })
  })

  it('grants the starting balance once', async () => {
    const user = await aUser(app)
    await grantStartingBalance(app.deps.db, app.deps.config, user.id)
    await grantStartingBalance(app.deps.db, app.deps.config, user.id)
    expect(await readBalance(app.deps.db, user.id)).toBe(5)
  })

  it('returns balance, usage pages and month of the caller only [SV-87, SH-29]', async () => {
    const user = await aUser(app, { balance: 3 })
    const other = await aUser(app, { balance: 9 })
    for (let i = 0; i < 3; i += 1) await recordUsage(app.deps.db, await anEntry(user.id, 0.5))
    const first = await billing(user.headers, '?page=1&limit=3')
    expect(first).toMatchObject({ enabled: true, balance: 1.5, total: 4, has_more: true, page: 1 })
    expect(first.this_month).toEqual({ amount: 1.5, input_tokens: 30, output_tokens: 60, calls: 3 })
    expect((await billing(user.headers, '?page=2&limit=3')).items).toHaveLength(1)
    expect((await billing(other.headers)).balance).toBe(9)
  })

  it('lets only a super admin book a top-up [SH-29]', async () => {
    const user = await aUser(app, { balance: 0 })
    const admin = await aUser(app, { role: 'super_admin' })
    expect((await topUp(user.headers, user.id, 2.5)).statusCode).toBe(403)
    expect((await topUp(admin.headers, user.id, 2.5)).json()).toEqual({ balance: 2.5 })
  })

  it('counts all concurrent top-ups [SH-29]', async () => {
    const user = await aUser(app, { balance: 0 })
    const admin = await aUser(app, { role: 'super_admin' })
    const amounts = Array.from({ length: 20 }, (_, at) => (at + 1) / 1000)
    const answers = await Promise.all(amounts.map((amount) => topUp(admin.headers, user.id, amount)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(amounts.map(() => 200))
    const { balance, total } = await billing(user.headers)
    expect([balance, total]).toEqual([0.21, 21])
  })

  it.each(['0', '1e-10', '100000.01', '-1e300', '1e308', '1e999', 'null', '"1"', 'NaN'])(
    'refuses a top-up of %s',
    async (amount) => {
      const user = await aUser(app, { balance: 1 })
      const admin = await aUser(app, { role: 'super_admin' })
      const { statusCode } = await topUp(admin.headers, user.id, amount)
      expect(statusCode).toBe(amount === 'NaN' ? 400 : 422)
      expect(await readBalance(app.deps.db, user.id)).toBe(1)
    },
  )

  it('keeps a balance within the range that a number shows exactly', async () => {
    const user = await aUser(app, { balance: 999_999.5 })
    const admin = await aUser(app, { role: 'super_admin' })
    expect((await topUp(admin.headers, user.id, 1)).json()).toMatchObject({
      ...{ code: 'invalid', detail: 'A balance may be at most $1,000,000. Add less.' },
    })
    expect((await topUp(admin.headers, user.id, 0.499999999)).json()).toEqual({ balance: 999_999.999999999 })
    // A balance out of range may move back towards it.
    await recordUsage(app.deps.db, await anEntry(user.id, 5_000_000))
    expect((await topUp(admin.headers, user.id, 100_000)).statusCode).toBe(200)
    expect((await topUp(admin.headers, user.id, -1)).statusCode).toBe(422)
  })

  it('stores any reported usage, however large, and never pays for usage', async () => {
    const user = await aUser(app, { balance: 1 })
    const entry = await anEntry(user.id, Number.POSITIVE_INFINITY)
    const most = { ...entry.usage, input_tokens: 1e300, output_tokens: Number.NaN, cached_tokens: 0.5 }
    await recordUsage(app.deps.db, { ...entry, usage: most })
    expect((await billing(user.headers)).items[0]).toMatchObject({
      ...{ amount: -999_999_999, input_tokens: 2 ** 31 - 1, output_tokens: 0 },
    })
    const before = await readBalance(app.deps.db, user.id)
    await recordUsage(app.deps.db, await anEntry(user.id, -3))
    expect(await readBalance(app.deps.db, user.id)).toBe(before)
  })

  it('names the session of each usage entry', async () => {
    const user = await aUser(app, { balance: 1 })
    const { id } = await aSession(app, user)
    await recordUsage(app.deps.db, { ...(await anEntry(user.id, 0.1)), session_id: id })
    expect((await billing(user.headers)).items[0]).toMatchObject({
      session_id: id,
      amount: -0.1,
      model_name: 'house/large',
    })
  })
})
