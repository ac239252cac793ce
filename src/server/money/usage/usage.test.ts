import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInIds } from '#shared/chat/assistants/assistants.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { playTool } from '#tests/probe-tool.ts'

let chat: Chat
let admin: TestUser
beforeAll(async () => {
  chat = await startChat()
  admin = await aUser(chat.app, { role: 'super_admin' })
})
afterAll(() => chat.close())

type Entry = {
  at?: string
  amount?: number
  model?: string
  assistant?: string
  tool?: string
}

/** Creates a company user with this usage. */
async function aPerson(companyId: string, ...entries: Entry[]): Promise<TestUser> {
  const user = await aUser(chat.app, { companyId, role: 'member' })
  await uses(user, ...entries)
  return user
}

async function uses(user: TestUser, ...entries: Entry[]): Promise<void> {
  for (const {
    at = '2026-11-02T10:00:00Z',
    amount = 0.25,
    model = 'house/large',
    assistant,
    tool,
  } of entries)
    await chat.app.deps.db
      .insertInto('ledger_entries')
      .values({
        ...{ user_id: user.id, kind: 'usage', amount: -amount, reason: 'reply', model_name: model },
        ...{ input_tokens: 10, output_tokens: 1, created_at: new Date(at) },
        ...{ assistant_id: assistant ?? null, tool_id: tool ?? null },
      })
      .execute()
}

const november = { from: '2026-11-01', to: '2026-11-30' }
const get = (user: TestUser, path = '', query: Record<string, string> = {}) =>
  chat.app.http.inject({
    method: 'GET',
    url: `/api/v1/admin/usage${path}?${new URLSearchParams({ ...november, ...query })}`,
    headers: user.headers,
  })
const sharesOf = async (user: TestUser, by: string, query: Record<string, string> = {}) =>
  (await get(user, '/shares', { by, ...query })).json().items as {
    id: string | null
    name: string | null
    company: string | null
    amount: number
  }[]

describe('the usage of an installation', () => {
  it('is summed by UTC day, user, company, model, tool and assistant, each equal to the ledger [AD-06]', async () => {
    const [north, south] = [await aCompany(chat.app), await aCompany(chat.app)]
    const ada = await aPerson(
      north,
      { amount: 1.000000001, assistant: 'a1', tool: 'web_search' },
      { amount: 0.5, model: 'house/small', at: '2026-11-02T23:59:59Z' },
      { amount: 0.1, at: '2026-11-03T00:00:00Z' },
      { amount: 9, at: '2026-10-31T23:59:59Z' },
    )
    const bob = await aPerson(south, { amount: 0.3 })
    const { sum, days, models, before } = (await get(admin)).json()
    expect(sum).toEqual({ amount: 1.900000001, tokens: 44, calls: 4, people: 2 })
    expect(before).toBe(9)
    expect(models).toEqual(['house/large', 'house/small'])
    expect(days).toMatchObject([
      { day: '2026-11-02', amount: 1.800000001, calls: 3 },
      { day: '2026-11-03', amount: 0.1, calls: 1, models: [{ model_name: 'house/large', amount: 0.1 }] },
    ])
    expect(days[0].models.map((one: { amount: number }) => one.amount)).toEqual([1.300000001, 0.5])
    const ofPeople = await sharesOf(admin, 'user')
    expect(ofPeople.map(({ id, amount }) => [id, amount])).toEqual([
      [ada.id, 1.600000001],
      [bob.id, 0.3],
    ])
    expect(ofPeople[0]).toMatchObject({ name: ada.username })
    const shown = async (by: string) => (await sharesOf(admin, by)).map(({ id, amount }) => [id, amount])
    expect(await shown('company')).toEqual([
      [north, 1.600000001],
      [south, 0.3],
    ])
    expect(await shown('model')).toEqual([
      ['house/large', 1.400000001],
      ['house/small', 0.5],
    ])
    expect(await shown('tool')).toEqual([
      ['web_search', 1.000000001],
      [null, 0.9],
    ])
    expect(await shown('assistant')).toEqual([
      ['a1', 1.000000001],
      [null, 0.9],
    ])
    const { items, total, has_more } = (
      await get(admin, '/shares', { by: 'model', limit: '1', page: '2' })
    ).json()
    expect([items[0].id, total, has_more]).toEqual(['house/small', 2, false])
  })

  it('is summed by the groups at that time, counting members of several in each; other sums equal the ledger [AD-06]', async () => {
    const company = await aCompany(chat.app)
    const { db } = chat.app.deps
    const aGroup = (name: string) =>
      db.insertInto('groups').values({ company_id: company, name }).returning('id').executeTakeFirstOrThrow()
    const [night, day] = [await aGroup('Night'), await aGroup('Day')]
    const joins = ({ id }: { id: string }, user: TestUser) =>
      db.insertInto('group_members').values({ group_id: id, company_id: company, user_id: user.id }).execute()
    const [ada, bob] = [await aPerson(company), await aPerson(company, { amount: 4 })]
    await joins(night, ada)
    await uses(ada, { amount: 1.000000001 })
    await joins(day, ada)
    await uses(ada, { amount: 0.5, tool: 'web_search', assistant: 'a1' })
    await joins(day, bob)
    await uses(bob, { amount: 0.25, at: '2026-11-05T10:00:00Z', model: 'house/small' })
    await db.deleteFrom('group_members').where('user_id', '=', ada.id).execute()
    const query = { company_id: company }
    expect((await sharesOf(admin, 'group', query)).map(({ id, name, amount }) => [id, name, amount])).toEqual(
      [
        [null, null, 4],
        [night.id, 'Night', 1.500000001],
        [day.id, 'Day', 0.75],
      ],
    )
    expect((await get(admin, '', { ...query, user_id: bob.id })).json().sum).toMatchObject({
      amount: 4.25,
      people: 1,
    })
    const inLedger = await db
      .selectFrom('ledger_entries')
      .select((row) => row.fn.sum('amount').as('sum'))
      .where('company_id', '=', company)
      .executeTakeFirstOrThrow()
    const { sum, days } = (await get(admin, '', query)).json()
    expect(sum.amount).toBe(5.750000001)
    expect(-Number(inLedger.sum)).toBe(sum.amount)
    const added = (items: { amount: number }[]) =>
      Math.round(items.reduce((all, { amount }) => all + amount, 0) * 1e9) / 1e9
    expect(added(days)).toBe(sum.amount)
    for (const by of ['user', 'company', 'model', 'tool', 'assistant'])
      expect([by, added(await sharesOf(admin, by, query))]).toEqual([by, sum.amount])
    const lines = (await get(admin, '/export', query)).body.trim().split('\r\n').slice(1)
    expect(
      lines.map((line) => line.split(',').at(-1)).reduce((all, one) => all + Number(one), 0),
    ).toBeCloseTo(sum.amount, 9)
    expect(lines.filter((line) => line.includes('"Day, Night"'))).toHaveLength(1)
  })

  it('is shown to company admins for their company only', async () => {
    const company = await aCompany(chat.app)
    const ada = await aPerson(company, { amount: 2 })
    const boss = await aUser(chat.app, { companyId: company, role: 'company_admin' })
    expect((await get(boss)).json().sum).toMatchObject({ amount: 2, people: 1 })
    expect((await sharesOf(boss, 'user')).map(({ id }) => id)).toEqual([ada.id])
    const other = await aCompany(chat.app)
    expect((await get(boss, '', { company_id: other })).statusCode).toBe(403)
    expect((await get(boss, '/export', { company_id: other })).statusCode).toBe(403)
    expect((await get(admin, '', { company_id: company })).json().sum.amount).toBe(2)
    expect((await get(ada)).statusCode).toBe(403)
  })

  it('stays with its company when a user leaves, and is removed with their ledger entries', async () => {
    const [company, next] = [await aCompany(chat.app), await aCompany(chat.app)]
    const ada = await aPerson(company, { amount: 2 })
    const { db } = chat.app.deps
    await db.updateTable('company_members').set({ company_id: next }).where('user_id', '=', ada.id).execute()
    const used = async (id: string) => (await get(admin, '', { company_id: id })).json().sum.amount
    expect([await used(company), await used(next)]).toEqual([2, 0])
    await db.deleteFrom('ledger_entries').where('user_id', '=', ada.id).execute()
    expect(await used(company)).toBe(0)
    await aPerson(company, { amount: 1 })
    await db.deleteFrom('users').where('id', '=', ada.id).execute()
    expect(await used(company)).toBe(1)
  })

  it('can be exported as a file whose lines add up to it', async () => {
    const company = await aCompany(chat.app)
    await aPerson(
      company,
      { amount: 1.25, tool: '=1+1' },
      { amount: 0.000000001, at: '2026-11-09T10:00:00Z' },
    )
    const answer = await get(admin, '/export', { company_id: company, language: 'fr' })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head, ...lines] = answer.body.trim().split('\r\n')
    expect(head).toBe(
      'Jour;Personne;Entreprise;Groupes;Modèle;Assistant;Outil;Appels;Jetons en entrée;Jetons en sortie;Dollars',
    )
    expect(lines.map((line) => line.split(';').slice(6).join(';'))).toEqual([
      `'=1+1;1;10;1;"1,25"`,
      ';1;10;1;1e-9',
    ])
  })

  it('keeps people of the same name apart in the exported file', async () => {
    const company = await aCompany(chat.app)
    const people = [await aPerson(company, { amount: 1 }), await aPerson(company, { amount: 2 })]
    const ids = people.map(({ id }) => id)
    await chat.app.deps.db.updateTable('users').set({ full_name: 'Ann Lee' }).where('id', 'in', ids).execute()
    const { body } = await get(admin, '/export', { company_id: company })
    const named = body.trim().split('\r\n').slice(1)
    expect(named.map((line) => line.split(',')[1]).sort()).toEqual(
      people.map(({ username }) => `Ann Lee (${username})`).sort(),
    )
  })

  it.each([
    { from: '2026-11-30', to: '2026-11-01' },
    { from: '2024-01-01', to: '2026-11-01' },
    { from: '2026-02-30', to: '2026-11-01' },
    { from: 'yesterday', to: '2026-11-01' },
  ])('is refused from $from to $to', async (span) => {
    for (const path of ['', '/shares', '/export'])
      expect((await get(admin, path, { by: 'user', ...span })).statusCode).toBe(422)
  })
})

describe('the usage of a reply', () => {
  it("is booked to its assistant, its user's company, and the tool that called a model", async () => {
    const company = await aCompany(chat.app)
    await chat.app.deps.db
      .insertInto('company_members')
      .values({ company_id: company, user_id: chat.user.id, role: 'member' })
      .execute()
    const restore = playTool(chat.app, async ({ n }, { model }) => {
      await model.ask({ system: 'Double it.', turns: [{ role: 'user', text: String(n) }] })
      return { doubled: 2 * n }
    })
    const [id = ''] = builtInIds
    chat.model.reply([calls('probe', { n: 2 })], [says('4')], [says('It is 4.')])
    const sessionId = await chat.aSession({ metadata: { assistant_id: id } })
    await (await chat.ask(sessionId, 'Double 2')).ended
    restore()
    const rows = await chat.app.deps.db
      .selectFrom('usage_days')
      .select(['assistant_id', 'tool_id', 'company_id', 'calls'])
      .where('user_id', '=', chat.user.id)
      .orderBy('calls')
      .execute()
    expect(rows).toEqual([
      { assistant_id: id, tool_id: 'probe', company_id: company, calls: 1 },
      { assistant_id: id, tool_id: null, company_id: company, calls: 2 },
    ])
  })
})
