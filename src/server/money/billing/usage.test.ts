import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ config: { ATRIUM_BILLING: 'on' } })
})
afterAll(() => app.close())

const get = async (user: TestUser, path: string, query: Record<string, string> = {}) => {
  const url = `/api/v1/users/me/billing${path}?${new URLSearchParams(query)}`
  return app.http.inject({ method: 'GET', url, headers: user.headers })
}

type Entry = {
  at: string
  amount?: number
  model?: string
  tokens?: number
  kind?: 'usage' | 'correction'
  title?: string
}

/** Creates a user with exactly these ledger entries. */
async function aPerson(...entries: Entry[]): Promise<TestUser> {
  const user = await aUser(app)
  await app.deps.db.deleteFrom('ledger_entries').where('user_id', '=', user.id).execute()
  for (const { at, amount = -0.25, model = 'house/large', tokens = 10, kind = 'usage', title } of entries) {
    const session_id = title === undefined ? null : (await aSession(app, user, { title })).id
    const used = { model_name: kind === 'usage' ? model : null, input_tokens: tokens, output_tokens: 1 }
    await app.deps.db
      .insertInto('ledger_entries')
      .values({
        user_id: user.id,
        kind,
        amount,
        reason: 'reply',
        ...used,
        session_id,
        created_at: new Date(at),
      })
      .execute()
  }
  return user
}

describe('the usage of a user', () => {
  it('is summed by day of a time zone and by model', async () => {
    const user = await aPerson(
      { at: '2026-11-01T22:59:00Z', amount: -1 },
      { at: '2026-11-01T23:01:00Z', amount: -0.5, model: 'house/small' },
      { at: '2026-11-02T10:00:00Z', amount: -0.25 },
      { at: '2026-11-02T10:00:00Z', amount: 5, kind: 'correction' },
      { at: '2026-10-31T10:00:00Z', amount: -9 },
    )
    const november = { from: '2026-10-31T23:00:00Z', to: '2026-11-30T23:00:00Z', time_zone: 'Europe/Paris' }
    expect((await get(user, '/usage', november)).json()).toEqual({
      steps: [
        { start: '2026-11-01', amount: 1, tokens: 11, calls: 1 },
        { start: '2026-11-02', amount: 0.75, tokens: 22, calls: 2 },
      ],
      models: [
        { model_name: 'house/large', amount: 1.25, tokens: 22, calls: 2 },
        { model_name: 'house/small', amount: 0.5, tokens: 11, calls: 1 },
      ],
    })
    const small = (await get(user, '/usage', { ...november, model: 'house/small' })).json()
    expect(small.steps).toEqual([{ start: '2026-11-02', amount: 0.5, tokens: 11, calls: 1 }])
    expect(small.models).toHaveLength(2)
    expect((await get(user, '/usage', { step: 'month' })).json().steps).toMatchObject([
      { start: '2026-10-01', amount: 9 },
      { start: '2026-11-01', amount: 1.75 },
    ])
    expect((await get(await aPerson(), '/usage')).json()).toEqual({ steps: [], models: [] })
  })

  it.each(['Mars/Olympus', '+01:00', "UTC'; select 1", ''])(
    'refuses %j as a time zone',
    async (time_zone) => {
      const user = await aPerson()
      for (const path of ['/usage', '/export'])
        expect((await get(user, path, { time_zone })).statusCode).toBe(422)
    },
  )

  it('can be filtered by time, kind and model, with the total count', async () => {
    const user = await aPerson(
      { at: '2026-11-01T10:00:00Z' },
      { at: '2026-11-02T10:00:00Z', model: 'house/small' },
      { at: '2026-11-03T10:00:00Z', amount: 5, kind: 'correction' },
    )
    const ask = async (query: Record<string, string>) => {
      const { items, total } = (await get(user, '', query)).json()
      return [total, (items as { created_at: string }[]).map((one) => one.created_at.slice(8, 10))]
    }
    expect(await ask({})).toEqual([3, ['03', '02', '01']])
    expect(await ask({ kind: 'usage' })).toEqual([2, ['02', '01']])
    expect(await ask({ kind: 'money' })).toEqual([1, ['03']])
    expect(await ask({ model: 'house/small' })).toEqual([1, ['02']])
    expect(await ask({ from: '2026-11-02T00:00:00Z', to: '2026-11-03T00:00:00Z' })).toEqual([1, ['02']])
  })
})

describe('the balance after each entry', () => {
  it('is exact on every page and with every filter', async () => {
    const user = await aPerson(
      { at: '2026-11-01T10:00:00Z', amount: 5, kind: 'correction' },
      { at: '2026-11-02T10:00:00Z', amount: -0.1 },
      { at: '2026-11-02T10:00:00Z', amount: -0.2, model: 'house/small' },
      { at: '2026-11-03T10:00:00Z', amount: -0.000000001 },
      { at: '2026-11-04T10:00:00Z', amount: 1, kind: 'correction' },
    )
    type Shown = { amount: number; balance: number; created_at: string }
    const ask = async (query: Record<string, string> = {}): Promise<Shown[]> =>
      (await get(user, '', query)).json().items
    const all = await ask()
    let balance = 0
    for (const entry of all.toReversed()) {
      balance = Number((balance + entry.amount).toFixed(9))
      expect(entry.balance).toBe(balance)
    }
    expect(all[0]?.balance).toBe(5.699999999)
    const pages = await Promise.all(['1', '2', '3'].map((page) => ask({ page, limit: '2' })))
    expect(pages.flat()).toEqual(all)
    const of = (isMeant: (entry: Shown) => boolean) => all.filter(isMeant)
    expect(await ask({ kind: 'money' })).toEqual(of(({ amount }) => amount > 0))
    expect(await ask({ kind: 'money', limit: '1', page: '2' })).toEqual([all.at(-1)])
    expect(await ask({ model: 'house/small' })).toEqual(of(({ amount }) => amount === -0.2))
    expect(await ask({ to: '2026-11-03T00:00:00Z' })).toEqual(
      of(({ created_at }) => created_at < '2026-11-03'),
    )
    const file = (await get(user, '/export', { kind: 'money' })).body
    expect(
      file
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').at(-1)),
    ).toEqual(['5.699999999', '5'])
  })
})

describe('the usage file', () => {
  it('contains every matching entry, safe for spreadsheets', async () => {
    const user = await aPerson(
      { at: '2026-11-01T23:30:00Z', amount: -0.06, title: '=HYPERLINK("http://evil.example")' },
      { at: '2026-11-01T10:00:00Z', amount: 5, kind: 'correction', tokens: 0 },
    )
    const answer = await get(user, '/export', { time_zone: 'Europe/Paris' })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toContain('attachment')
    expect(answer.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(answer.body.slice(1).split('\r\n')).toEqual([
      'Time,Kind,Chat,Entry,Model,Input tokens,Output tokens,Amount ($),Balance ($)',
      `2026-11-02 00:30:00,Usage,"'=HYPERLINK(""http://evil.example"")",Reply,house/large,10,1,-0.06,4.94`,
      '2026-11-01 11:00:00,Correction,,Reply,,0,1,5,5',
      '',
    ])
    const french = await get(user, '/export', { language: 'fr', kind: 'money' })
    expect(french.body).toContain('Nature;Conversation;')
    expect(french.body.trim().split('\r\n')).toHaveLength(2)
  })

  it('is complete and without duplicates across pages with equal times', async () => {
    const user = await aPerson()
    const created_at = new Date('2026-11-05T10:00:00Z')
    await app.deps.db
      .insertInto('ledger_entries')
      .values(
        Array.from({ length: 2500 }, (_, at) => ({
          ...{ user_id: user.id, kind: 'usage' as const, amount: -0.001, reason: `n${at}`, created_at },
        })),
      )
      .execute()
    const { body } = await get(user, '/export')
    const balances = body
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',').at(-1)))
    expect(balances).toEqual(balances.map((_, at) => Number(((at - 2500) / 1000).toFixed(3))))
    const reasons = new Set(body.match(/\bn\d+\b/g))
    expect(body.trim().split('\r\n')).toHaveLength(2501)
    expect(reasons.size).toBe(2500)
  })

  it('contains no entries of other users', async () => {
    await aPerson({ at: '2026-11-01T10:00:00Z' })
    expect((await get(await aPerson(), '/export')).body.trim().split('\r\n')).toHaveLength(1)
  })
})

describe('an API key for usage', () => {
  it('cannot read chat titles or booking reasons', async () => {
    const user = await aPerson(
      { at: '2026-11-01T23:30:00Z', amount: -0.06, title: 'My divorce' },
      { at: '2026-11-01T10:00:00Z', amount: 5, kind: 'correction', tokens: 0 },
    )
    await app.deps.db
      .updateTable('ledger_entries')
      .set({ reason: 'For the union meeting' })
      .where('user_id', '=', user.id)
      .where('kind', '=', 'correction')
      .execute()
    const usage = await anApiKey(app, user, { scopes: ['usage'] })
    for (const path of ['', '/export', '/usage']) {
      const { statusCode, body } = await get({ headers: usage.headers } as TestUser, path, {})
      expect(statusCode, path).toBe(200)
      expect(body, path).not.toMatch(/divorce|union/)
    }
    const both = await anApiKey(app, user, { scopes: ['usage', 'chats'] })
    for (const path of ['', '/export'])
      expect((await get({ headers: both.headers } as TestUser, path, {})).body).toMatch(
        /divorce(?:.|\s)*union/,
      )
  })

  it('cannot read the names of assistants or other keys in budgets', async () => {
    const user = await aUser(app)
    const usage = await anApiKey(app, user, { scopes: ['usage'], monthly_budget: 5 })
    const other = await anApiKey(app, user, { monthly_budget: 5 })
    const assistant = await app.deps.db
      .insertInto('assistants')
      .values({ user_id: user.id, name: 'My divorce' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.deps.db
      .insertInto('budgets')
      .values({
        kind: 'assistant',
        assistant_id: assistant.id,
        period: 'month',
        amount: 3,
        since: '2026-11-01',
      })
      .execute()
    const read = async (headers: { authorization: string }) => {
      const { statusCode, body } = await app.http.inject({ url: '/api/v1/users/me/budgets', headers })
      expect(statusCode).toBe(200)
      const named = JSON.parse(body).items.map((item: { subject_id: string; name: string | null }) => [
        item.subject_id,
        item.name,
      ])
      return Object.fromEntries(named)
    }
    expect(await read(usage.headers)).toEqual({
      [assistant.id]: null,
      [usage.key.id]: 'ERP',
      [other.key.id]: null,
    })
    expect(await read(user.headers)).toMatchObject({ [assistant.id]: 'My divorce', [other.key.id]: 'ERP' })
  })
})
