import { Webhook as Receiver } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Webhook, WebhookDelivery } from '#shared/api/webhooks/webhooks.ts'
import { type ApiRequest, type ApiServer, startApiServer } from '#tests/api-server.ts'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { calls, fails, type Move, says } from '#tests/model-server.ts'
import { nextAttempt } from './pauses.ts'

let chat: Chat
let receiver: ApiServer
beforeAll(async () => {
  receiver = await startApiServer()
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: receiver.url } } })
})
afterAll(async () => {
  await chat.close()
  await receiver.close()
})
afterEach(async () => {
  receiver.answer({ body: { ok: true } })
  receiver.asked.length = 0
  await chat.app.deps.db.deleteFrom('webhooks').execute()
})

const all = ['run.finished', 'run.waits', 'run.failed', 'document.ready']

async function aWebhook(more: object = {}, { headers }: Pick<TestUser, 'headers'> = chat.user) {
  const wish = { name: 'ERP', url: `${receiver.url}/atrium`, events: all, ...more }
  const { status, body } = await chat.call('POST', '/webhooks', wish, headers)
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { webhook: Webhook; secret: string }
}

async function told(type: string, patience = 10_000): Promise<ApiRequest> {
  const isIt = ({ body }: ApiRequest) => JSON.parse(body).type === type
  await expect.poll(() => receiver.asked.some(isIt), { timeout: patience }).toBe(true)
  return receiver.asked.findLast(isIt)!
}

async function deliveriesOf(id: string): Promise<WebhookDelivery[]> {
  return (await chat.call('GET', `/webhooks/${id}/deliveries`)).body.items
}
const readWebhook = async (id: string): Promise<Webhook> =>
  (await chat.call('GET', '/webhooks')).body.items.find((one: Webhook) => one.id === id)

async function ask(...script: Move[]) {
  chat.model.reply(script)
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  return sessionId
}

describe('the address of a webhook', () => {
  const bad = [
    ...[
      'http://127.0.0.1/x',
      'http://2130706433/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://10.1.2.3/',
    ],
    ...[
      'http://169.254.169.254/latest',
      'http://localhost:9/',
      'https://ann:secret@hooks.example/x',
      'http://0/',
    ],
    ...[
      'http://localhost./',
      'http://hooks.localhost/',
      'https://metadata.google.internal/',
      'http://intranet/',
    ],
  ]

  it.each(bad)('is refused when deliveries to it would be blocked: %s', async (url) => {
    const wish = { name: 'ERP', url, events: all }
    const made = await chat.call('POST', '/webhooks', wish)
    expect(made).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect(made.body.detail).toMatch(/is not an address of the public internet|without a name or password/)
    expect((await chat.call('GET', '/webhooks')).body.items).toEqual([])
    const { webhook } = await aWebhook()
    expect((await chat.call('PATCH', `/webhooks/${webhook.id}`, { url })).status).toBe(422)
    expect((await readWebhook(webhook.id)).url).toBe(webhook.url)
  })

  it('shows its address as it is called', async () => {
    const typed = 'https://hooks.nowhere.invalid\\@127.0.0.1/'
    const called = 'https://hooks.nowhere.invalid/@127.0.0.1/'
    const { webhook } = await aWebhook({ url: typed })
    expect(webhook.url).toBe(called)
    const { body } = await chat.call('PATCH', `/webhooks/${webhook.id}`, { url: `${typed}x` })
    expect(body.url).toBe(`${called}x`)
  })

  it('is accepted when its name cannot be resolved now, or an administrator allows it', async () => {
    const { webhook } = await aWebhook({ url: 'https://hooks.nowhere.invalid/x' })
    expect(webhook.is_on).toBe(true)
    await aWebhook()
  })

  it('is checked again when a webhook is turned on, and a refusal while sending is shown', async () => {
    const { webhook } = await aWebhook()
    await chat.app.deps.db
      .updateTable('webhooks')
      .set({ url: 'http://10.0.0.1/x' })
      .where('id', '=', webhook.id)
      .execute()
    await fetch(`${chat.url}/webhooks/${webhook.id}/try`, { method: 'POST', headers: chat.user.headers })
    const refusal = '10.0.0.1 is not an address of the public internet.'
    await expect
      .poll(async () => (await deliveriesOf(webhook.id))[0]?.attempts[0]?.error, { timeout: 10_000 })
      .toBe(refusal)
    await chat.call('PATCH', `/webhooks/${webhook.id}`, { is_on: false })
    const on = await chat.call('PATCH', `/webhooks/${webhook.id}`, { is_on: true })
    expect(on).toMatchObject({ status: 422, body: { detail: refusal } })
  })
})

describe('a webhook', () => {
  it('reports runs that finish, wait or fail and ready documents, with a verifiable signature [PG-09]', async () => {
    const { secret, webhook } = await aWebhook()
    const check = new Receiver(secret)
    const session_id = await ask(says('Secret words.'))
    const finished = await told('run.finished')
    expect(check.verify(finished.body, finished.headers as Record<string, string>)).toMatchObject({
      type: 'run.finished',
      data: { session_id, user_id: chat.user.id, kind: 'chat' },
    })
    const forged = finished.body.replace(session_id, chat.user.id)
    expect(() => check.verify(forged, finished.headers as Record<string, string>)).toThrow()
    // Events say what happened, never what was written.
    expect(finished.body).not.toContain('Secret')
    await ask(calls('ask_person', { prompt: 'Which?' }))
    await told('run.waits')
    await ask(fails(400))
    await told('run.failed')
    const reader = await aReader(chat.app, chat.url, chat.user)
    await reader.upload({ name: 'rent.txt', content: 'The rent is 900 €.' })
    expect(JSON.parse((await told('document.ready', 30_000)).body).data).toMatchObject({ version: 1 })
    await expect
      .poll(async () => (await deliveriesOf(webhook.id)).map(({ state }) => state))
      .toEqual(Array(4).fill('arrived'))
    const [newest] = await deliveriesOf(webhook.id)
    expect(newest).toMatchObject({
      type: 'document.ready',
      next_at: null,
      attempts: [{ status: 200, error: null }],
    })
  })

  it('retries with the same id after a pause when the receiver fails, and lists every attempt [PG-09]', async () => {
    receiver.answer({ status: 503 })
    const { webhook, secret } = await aWebhook({ events: ['run.finished'] })
    await ask(says('Done.'))
    const first = await told('run.finished')
    await expect
      .poll(async () => (await deliveriesOf(webhook.id))[0]?.attempts)
      .toMatchObject([{ status: 503 }])
    const [waiting] = await deliveriesOf(webhook.id)
    expect(waiting?.state).toBe('waiting')
    expect(Date.parse(waiting?.next_at ?? '') - Date.now()).toBeGreaterThan(2_000)
    expect((await readWebhook(webhook.id)).failing_since).not.toBeNull()
    receiver.answer({ body: 'thanks' })
    await expect
      .poll(async () => (await deliveriesOf(webhook.id))[0]?.state, { timeout: 20_000 })
      .toBe('arrived')
    const again = receiver.asked.at(-1)!
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(again.body).toBe(first.body)
    new Receiver(secret).verify(again.body, again.headers as Record<string, string>)
    expect((await deliveriesOf(webhook.id))[0]?.attempts).toMatchObject([{ status: 200 }, { status: 503 }])
    expect((await readWebhook(webhook.id)).failing_since).toBeNull()
  })

  it('can repeat a delivery on request and send a test event [PG-09]', async () => {
    const { webhook } = await aWebhook()
    expect(
      (await fetch(`${chat.url}/webhooks/${webhook.id}/try`, { method: 'POST', headers: chat.user.headers }))
        .status,
    ).toBe(204)
    const first = await told('webhook.tried')
    await expect.poll(async () => (await deliveriesOf(webhook.id))[0]?.state).toBe('arrived')
    const [{ id } = { id: '' }] = await deliveriesOf(webhook.id)
    receiver.asked.length = 0
    const url = `${chat.url}/webhooks/${webhook.id}/deliveries/${id}/send`
    expect((await fetch(url, { method: 'POST', headers: chat.user.headers })).status).toBe(204)
    expect((await told('webhook.tried')).headers['webhook-id']).toBe(first.headers['webhook-id'])
    await expect.poll(async () => (await deliveriesOf(webhook.id))[0]?.attempts.length).toBe(2)
    const unknown = `/webhooks/${webhook.id}/deliveries/${webhook.id}/send`
    expect(await chat.call('POST', unknown)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('has an encrypted secret that is shown once and can be renewed; the old one also signs for a day', async () => {
    const { webhook, secret } = await aWebhook()
    const rows = await chat.app.deps.db.selectFrom('webhooks').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    expect(JSON.stringify((await chat.call('GET', '/webhooks')).body)).not.toMatch(/secret|whsec/)
    const { body: renewed } = await chat.call('POST', `/webhooks/${webhook.id}/secret`)
    expect(renewed.secret).toMatch(/^whsec_/)
    const send = async () => {
      receiver.asked.length = 0
      await fetch(`${chat.url}/webhooks/${webhook.id}/try`, { method: 'POST', headers: chat.user.headers })
      const { body, headers } = await told('webhook.tried')
      return [renewed.secret, secret].map((one) => {
        try {
          return Boolean(new Receiver(one).verify(body, headers as Record<string, string>))
        } catch {
          return false
        }
      })
    }
    expect(await send()).toEqual([true, true])
    await chat.app.deps.db.updateTable('webhooks').set({ previous_until: new Date() }).execute()
    expect(await send()).toEqual([true, false])
  })

  it('reports events of all members when it belongs to a company, whose administrators manage it [PG-09]', async () => {
    const companyId = await aCompany(chat.app)
    const boss = await aUser(chat.app, { role: 'company_admin', companyId })
    const member = await aUser(chat.app, { role: 'member', companyId })
    const outsider = await aUser(chat.app, { role: 'company_admin', companyId: await aCompany(chat.app) })
    const wish = { name: 'ERP', url: `${receiver.url}/`, events: all, company_id: companyId }
    for (const { headers } of [member, outsider])
      expect((await chat.call('POST', '/webhooks', wish, headers)).status).toBe(403)
    const { webhook } = await aWebhook({ company_id: companyId }, boss)
    expect(webhook.company).toMatchObject({ id: companyId })
    for (const { headers } of [member, outsider, chat.user]) {
      expect((await chat.call('GET', '/webhooks', undefined, headers)).body).toEqual({ items: [], total: 0 })
      expect((await chat.call('PATCH', `/webhooks/${webhook.id}`, { is_on: false }, headers)).status).toBe(
        403,
      )
      expect((await chat.call('GET', `/webhooks/${webhook.id}/deliveries`, undefined, headers)).status).toBe(
        403,
      )
    }
    await ask(says('Of somebody else.'))
    const reader = await aReader(chat.app, chat.url, member)
    await reader.upload({ name: 'rent.txt', content: 'The rent of the member.' })
    expect(JSON.parse((await told('document.ready', 30_000)).body).data.user_id).toBe(member.id)
    expect(receiver.asked).toHaveLength(1)
  })

  it('turns off after five days of failures or when the receiver is gone, and starts afresh when turned on [PG-09]', async () => {
    receiver.answer({ status: 500 })
    const { webhook } = await aWebhook()
    const { db } = chat.app.deps
    await db
      .updateTable('webhooks')
      .set({ failing_since: new Date(Date.now() - 5 * 86_400_000) })
      .execute()
    await fetch(`${chat.url}/webhooks/${webhook.id}/try`, { method: 'POST', headers: chat.user.headers })
    await expect
      .poll(() => readWebhook(webhook.id))
      .toMatchObject({ is_on: false, gave_up_at: expect.any(String) })
    const before = receiver.asked.length
    await ask(says('Nobody is told.'))
    expect((await deliveriesOf(webhook.id)).map(({ type }) => type)).toEqual(['webhook.tried'])
    expect(receiver.asked.length).toBe(before)
    const on = await chat.call('PATCH', `/webhooks/${webhook.id}`, { is_on: true })
    expect(on.body).toMatchObject({ is_on: true, failing_since: null, gave_up_at: null })
    receiver.answer({ status: 410 })
    await fetch(`${chat.url}/webhooks/${webhook.id}/try`, { method: 'POST', headers: chat.user.headers })
    await expect.poll(() => readWebhook(webhook.id)).toMatchObject({ is_on: false })
    expect((await deliveriesOf(webhook.id))[0]).toMatchObject({ state: 'failed', next_at: null })
  })

  it.each<[string, object]>([
    ['an address that is none', { url: 'ftp://erp.example' }],
    ['nothing to be told of', { events: [] }],
    ['no name', { name: ' ' }],
  ])('is refused with %s', async (_, broken) => {
    const wish = { name: 'ERP', url: receiver.url, events: all, ...broken }
    expect((await chat.call('POST', '/webhooks', wish)).status).toBe(422)
  })

  it('is refused with an explanation over the limit', async () => {
    for (let made = 0; made < 20; made++) await aWebhook()
    const wish = { name: 'ERP', url: receiver.url, events: all }
    expect(await chat.call('POST', '/webhooks', wish)).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })
})

it('a delivery is retried with growing pauses over three days, then given up', () => {
  const now = new Date(0)
  const waits = Array.from({ length: 9 }, (_, n) => nextAttempt(n + 1, now, 0)?.getTime() ?? 0)
  expect(waits[0]).toBe(5_000)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  const days = waits.reduce((sum, one) => sum + one, 0) / 86_400_000
  expect(days).toBeGreaterThan(2.9)
  expect(days).toBeLessThan(3.1)
  expect(nextAttempt(10, now)).toBeNull()
})
