import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewApiKey } from '#shared/identity/api-keys/api-keys.ts'
import { anApiKey } from '#tests/api-key.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { readBalance } from '../../money/billing/billing.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } }, user: { balance: 100 } })
})
afterAll(() => chat.close())

const wish = { name: ' ERP nightly ', scopes: ['chats', 'usage'], days: 90, monthly_budget: 15 }

async function create(body: object = wish) {
  const { status, body: made } = await chat.call('POST', '/users/me/api-keys', body)
  expect(status).toBe(201)
  return { ...made, headers: { authorization: `Bearer ${made.secret}` } }
}
const list = async () => (await chat.call('GET', '/users/me/api-keys')).body

/** Cost of one scripted call: 100 input and 20 output tokens. */
const COST = 2
const price = async () =>
  chat.app.deps.db
    .insertInto('model_overrides')
    .values({
      ...{ model_id: 'compatible/scripted', offered: true, input_price: 10_000, output_price: 50_000 },
      context_tokens: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

describe('an API key', () => {
  it('is shown once and stored as a hash; the list shows name, scopes, expiry, budget and last use [PG-01]', async () => {
    const { key, secret, headers } = await create()
    expect(secret).toMatch(/^atr_[\w-]{43}$/)
    expect(key).toMatchObject({
      name: 'ERP nightly',
      scopes: ['chats', 'usage'],
      monthly_budget: 15,
      spent: 0,
    })
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(90 * 86_400_000)
    expect(secret.startsWith(key.hint)).toBe(true)
    expect(key.last_used_at).toBeNull()
    expect((await chat.call('GET', '/sessions', undefined, headers)).status).toBe(200)
    const { items, total } = await list()
    expect(items[0]).toMatchObject({ id: key.id, last_address: '127.0.0.1' })
    expect(Date.now() - Date.parse(items[0].last_used_at)).toBeLessThan(60_000)
    expect({ total, text: JSON.stringify(items) }).toMatchObject({ total: items.length })
    expect(JSON.stringify(items)).not.toContain(secret.slice(12))
    const rows = await chat.app.deps.db.selectFrom('access_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(12))
  })

  it('is created by each of several concurrent requests [PG-01]', async () => {
    const other = await aUser(chat.app)
    const request = {
      method: 'POST',
      url: '/api/v1/users/me/api-keys',
      headers: other.headers,
      payload: wish,
    } as const
    const answers = await Promise.all(Array.from({ length: 12 }, () => chat.app.http.inject(request)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
  })

  it('opens only the routes of its scopes [PG-01]', async () => {
    const { headers } = await create()
    expect((await chat.call('GET', '/users/me/billing', undefined, headers)).status).toBe(200)
    expect(await chat.call('GET', '/documents', undefined, headers)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: 'This API key is not for "documents.read". Create one that is.' },
    })
    for (const path of ['/users/me/api-keys', '/users/me/tokens', '/users/me'])
      expect((await chat.call('GET', path, undefined, headers)).status, path).toBe(403)
    expect((await chat.call('POST', '/users/me/api-keys', wish, headers)).status).toBe(403)
  })

  it("is accepted in the header only and never exceeds its user's rights", async () => {
    const { secret, headers } = await create()
    const id = await chat.aSession()
    expect((await fetch(`${chat.url}/sessions/${id}/events?token=${secret}`)).status).toBe(401)
    const cookie = { cookie: `token=${secret}` }
    expect((await fetch(`${chat.url}/sessions/${id}/events`, { headers: cookie })).status).toBe(401)
    const boss = await aUser(chat.app, { role: 'super_admin' })
    const theirs = await anApiKey(chat.app, boss, { scopes: ['chats'] })
    expect((await chat.call('GET', `/sessions/${id}`, undefined, theirs.headers)).status).toBe(403)
    expect((await chat.call('GET', '/admin/users', undefined, theirs.headers)).status).toBe(403)
    expect((await chat.call('GET', `/sessions/${id}`, undefined, headers)).status).toBe(200)
  })

  it('is refused after its expiry [PG-01]', async () => {
    const { key, headers } = await create()
    await chat.app.deps.db
      .updateTable('access_keys')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', key.id)
      .execute()
    expect((await chat.call('GET', '/sessions', undefined, headers)).status).toBe(401)
    expect((await list()).items.some(({ id }: { id: string }) => id === key.id)).toBe(true)
  })

  it('can be revoked only by its user, with immediate effect on all processes and open streams [PG-01]', async () => {
    const other: TestApp = await startApp({ address: chat.app.address })
    const elsewhere = await other.listen()
    const { key, headers } = await create()
    const id = await chat.aSession()
    const stream = await openStream(`${elsewhere}/api/v1/sessions/${id}/events`, { headers })
    await stream.until('connection_established')
    const stranger = await aUser(chat.app)
    const url = `${chat.url}/users/me/api-keys/${key.id}`
    expect((await fetch(url, { method: 'DELETE', headers: stranger.headers })).status).toBe(403)
    const started = performance.now()
    expect((await fetch(url, { method: 'DELETE', headers: chat.user.headers })).status).toBe(204)
    for (const at of [chat.url, `${elsewhere}/api/v1`])
      expect((await fetch(`${at}/sessions`, { headers })).status).toBe(401)
    await stream.until('unauthorized')
    await stream.ended
    expect(performance.now() - started).toBeLessThan(10_000)
    expect((await list()).items.some((one: { id: string }) => one.id === key.id)).toBe(false)
    await other.close()
  })

  it('exceeds its monthly budget by one call at most, then gets 402 without affecting its user [PG-01]', async () => {
    await price()
    const { key, headers } = await create({ ...wish, monthly_budget: COST })
    const before = await readBalance(chat.app.deps.db, chat.user.id)
    const send = async (carried: Record<string, string>) => {
      const sessionId = await chat.aSession()
      chat.model.reply([says('Done.')])
      const stream = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
        ...{ method: 'POST', headers: carried, body: { content: 'Hi' } },
      })
      await stream.ended
      return stream.view()
    }
    expect(await send(headers)).toMatchObject({ status: 'completed' })
    const refused = await chat.call(
      'POST',
      '/messages',
      { chat_session_id: await chat.aSession(), content: 'Hi' },
      headers,
    )
    expect(refused).toMatchObject({ status: 402, body: { code: 'budget_used_up' } })
    expect(refused.body.detail).toContain('Raise it in your settings')
    expect(await send(chat.user.headers)).toMatchObject({ status: 'completed' })
    const mine = (await list()).items.find(({ id }: { id: string }) => id === key.id)
    expect(mine).toMatchObject({ spent: COST })
    expect(await readBalance(chat.app.deps.db, chat.user.id)).toBeCloseTo(before - 2 * COST)
  })

  it('is refused with an explanation over the limit per user', async () => {
    const user = await aUser(chat.app)
    for (let made = 0; made < 50; made++) await anApiKey(chat.app, user)
    const refused = await chat.call('POST', '/users/me/api-keys', wish, user.headers)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const page = await chat.call('GET', '/users/me/api-keys?limit=20&page=3', undefined, user.headers)
    expect(page.body).toMatchObject({ total: 50, has_more: false })
    expect(page.body.items).toHaveLength(10)
  })

  it.each<[string, Partial<NewApiKey> | { scopes: string[] }]>([
    ['without a name', { name: '  ' }],
    ['for nothing', { scopes: [] }],
    ['for what is unknown', { scopes: ['everything'] }],
    ['with a budget below nothing', { monthly_budget: -1 }],
  ])('%s is refused', async (_, broken) => {
    expect((await chat.call('POST', '/users/me/api-keys', { ...wish, ...broken })).status).toBe(422)
  })
})
