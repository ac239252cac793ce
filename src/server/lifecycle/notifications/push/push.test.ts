import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NotificationKind } from '#shared/lifecycle/notifications/kinds.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'
import { readVapid, startPushService } from '#tests/push-service.ts'
import { aDocument } from '#tests/stored-document.ts'
import { sendPushes } from './send-pushes.ts'

type Service = Awaited<ReturnType<typeof startPushService>>
type Browser = ReturnType<Service['subscribe']>

let service: Service
let app: TestApp
beforeEach(async () => {
  service = await startPushService()
  app = await startApp({ config: { ATRIUM_TOOLS_PRIVATE: service.url }, jobs: false })
})
afterEach(async () => {
  await app.close()
  service.close()
})

const db = () => app.deps.db
const url = '/api/v1/notifications/push'
// biome-ignore lint/suspicious/noExplicitAny: the tests read answers of several routes
type Answer = any

async function call(
  user: Pick<TestUser, 'headers'>,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path = '',
  payload?: object,
) {
  const answer = await app.http.inject({
    method,
    url: url + path,
    headers: user.headers,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: (answer.body ? answer.json() : null) as Answer }
}

/** Subscribes a browser of the user's sign-in. The contract demands https, which the test's push service does not speak. */
async function subscribe(user: TestUser, browser: Browser = service.subscribe()): Promise<Browser> {
  await sql`insert into push_subscriptions (user_id, token_hash, endpoint, p256dh, auth)
    select user_id, token_hash, ${browser.endpoint}, ${browser.keys.p256dh}, ${browser.keys.auth}
    from access_tokens where user_id = ${user.id} order by created_at desc limit 1`.execute(db())
  return browser
}

async function change(user: TestUser, payload: object) {
  const answer = await app.http.inject({
    ...{ method: 'PATCH', url: '/api/v1/notifications/settings', headers: user.headers, payload },
  })
  expect(answer.statusCode).toBe(200)
}

const wantsPush = (user: TestUser, ...kinds: NotificationKind[]) =>
  change(user, { switches: kinds.map((kind) => ({ kind, channel: 'push', is_on: true })) })

/** A person with a browser that shows that documents could not be read. */
async function aReader(): Promise<{ user: TestUser; browser: Browser }> {
  const user = await aUser(app, { role: 'member' })
  const browser = await subscribe(user)
  await wantsPush(user, 'document_failed')
  return { user, browser }
}

async function aFailedDocument(user: TestUser): Promise<string> {
  const { documentId } = await aDocument(app, user)
  await sql`update documents set status = 'in_progress' where id = ${documentId}`.execute(db())
  await sql`update documents set status = 'failed' where id = ${documentId}`.execute(db())
  return documentId
}

/** Asks a question in a new chat. */
async function aQuestion(user: TestUser, prompt: string) {
  const { id: session_id, messageIds } = await aSession(app, user, { turns: 1, title: 'Lyon lease' })
  const [user_message_id = '', message_id = ''] = messageIds
  const run = await db()
    .insertInto('runs')
    .values({
      ...{ user_id: user.id, session_id, user_message_id, message_id },
      ...{ agent_type: 'multi_turn', agent_version: 1, state: 'waiting' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const request = { type: 'input_required', id: 'q', kind: 'question', checkpoint_name: 'ask', prompt }
  await sql`insert into input_requests (run_id, key, user_id, session_id, checkpoint_name, request)
    values (${run.id}, 'ask', ${user.id}, ${session_id}, 'ask', ${JSON.stringify(request)})`.execute(db())
}

const states = async (user: TestUser) => {
  const { rows } = await sql<{ state: string }>`select state from notification_deliveries
    where user_id = ${user.id} and channel = 'push' order by created_at`.execute(db())
  return rows.map(({ state }) => state)
}

/** Runs the job after `minutes` without events. */
async function sendAfter(minutes = 0) {
  await sql`update notification_deliveries set due_at = due_at - ${minutes} * interval '1 minute'`.execute(
    db(),
  )
  await sendPushes(app.deps, new AbortController().signal)
}

describe('the keys of the installation', () => {
  it('are created at the first start, once, and stay the same', async () => {
    const count = async () => (await sql`select from push_keys`.execute(db())).rows.length
    await expect.poll(count).toBe(1)
    const [ada, bob] = [await aUser(app), await aUser(app)]
    const keys = await Promise.all(
      [ada, bob, ada].map(async (user) => (await call(user, 'GET')).body.public_key),
    )
    expect(new Set(keys).size).toBe(1)
    expect(Buffer.from(keys[0], 'base64url')).toHaveLength(65)
    const { rows } = await sql<{ sealed: string }>`select private_sealed as sealed from push_keys`.execute(
      db(),
    )
    expect(rows).toHaveLength(1)
    expect(Buffer.from(app.deps.secrets.open(rows[0]?.sealed ?? ''), 'base64url')).toHaveLength(32)
  })
})

describe('keys that a lost sealing key made unreadable', () => {
  it('are replaced, and browsers subscribe again', async () => {
    const { user } = await aReader()
    const before = (await call(user, 'GET')).body.public_key
    await sql`update push_keys set private_sealed = 'v1.lost'`.execute(db())
    await aFailedDocument(user)
    await sendAfter()
    const { public_key, browsers } = (await call(user, 'GET')).body
    expect([public_key === before, browsers, await states(user)]).toEqual([false, [], ['skipped']])
    const browser = await subscribe(user)
    await aFailedDocument(user)
    await sendAfter()
    expect(browser.got).toHaveLength(1)
  })
})

describe('a browser', () => {
  const wish = () => {
    const { keys } = service.subscribe()
    return { endpoint: 'https://93.184.216.34/push/1', keys }
  }

  it('is stored once, listed with its name, and removed', async () => {
    const user = await aUser(app)
    const put = await call(user, 'PUT', '', wish())
    expect([put.status, put.body.current]).toEqual([200, true])
    expect((await call(user, 'PUT', '', wish())).body.id).toBe(put.body.id)
    expect((await call(user, 'GET')).body.browsers).toEqual([put.body])
    expect((await call(user, 'DELETE', `?id=${put.body.id}`)).status).toBe(204)
    expect((await call(user, 'GET')).body.browsers).toEqual([])
  })

  it('belongs to the person who signed in last, and cannot be removed by others', async () => {
    const [ada, bob] = [await aUser(app), await aUser(app)]
    await call(ada, 'PUT', '', wish())
    const { body } = await call(bob, 'PUT', '', wish())
    expect((await call(ada, 'GET')).body.browsers).toEqual([])
    expect((await call(ada, 'DELETE', `?id=${body.id}`)).status).toBe(204)
    expect((await call(bob, 'GET')).body.browsers).toHaveLength(1)
  })

  it('is replaced by a new subscription of the same sign-in', async () => {
    const user = await aUser(app)
    await call(user, 'PUT', '', wish())
    await call(user, 'PUT', '', { ...wish(), endpoint: 'https://93.184.216.34/push/2' })
    expect((await call(user, 'GET')).body.browsers).toHaveLength(1)
  })

  it('is forgotten when its sign-in ends', async () => {
    const user = await aUser(app)
    await call(user, 'PUT', '', wish())
    const out = await app.http.inject({ method: 'DELETE', url: '/api/v1/token', headers: user.headers })
    expect(out.statusCode).toBe(200)
    const { rows } = await sql`select from push_subscriptions`.execute(db())
    expect(rows).toEqual([])
  })

  it.each([
    ['an address without https', { endpoint: 'http://93.184.216.34/push' }],
    ['a private address', { endpoint: 'https://127.0.0.1/push' }],
    ['an address that is too long', { endpoint: `https://93.184.216.34/${'a'.repeat(2_000)}` }],
    ['a short key', { keys: { p256dh: 'abc', auth: 'abc' } }],
  ])('is refused with %s', async (_, wrong) => {
    const user = await aUser(app)
    const { status } = await call(user, 'PUT', '', { ...wish(), ...wrong })
    expect([400, 422]).toContain(status)
    expect((await call(user, 'GET')).body.browsers).toEqual([])
  })
})

describe('a push', () => {
  it('reaches every browser of the person, encrypted and signed by this installation, and leads to the place [NT-04]', async () => {
    const { user, browser } = await aReader()
    const second = await subscribe(user)
    const documentId = await aFailedDocument(user)
    await sendAfter()
    for (const { got } of [browser, second]) {
      expect(got).toHaveLength(1)
      expect(got[0]?.message).toMatchObject({ path: `/documents/${documentId}`, body: '' })
      expect(got[0]?.message.title).toMatch(/could not be read/)
    }
    const { public_key } = (await call(user, 'GET')).body
    const headers = browser.got[0]?.headers
    const claims = readVapid(headers?.authorization, public_key)
    expect([claims.aud, headers?.['content-encoding'], headers?.urgency]).toEqual([
      service.url,
      'aes128gcm',
      'high',
    ])
    expect(claims.sub).toMatch(/^(mailto:|https:)/)
    expect(await states(user)).toEqual(['sent'])
    await sendAfter(10)
    expect(service.posts()).toBe(2)
  })

  it('is in the language of the person and quotes only when the person allows it', async () => {
    const { user, browser } = await aReader()
    await sql`update users set language = 'fr' where id = ${user.id}`.execute(db())
    await aQuestion(user, 'May I sell the harbour?')
    await sendAfter()
    await change(user, { shows_content: true })
    await aQuestion(user, 'May I sell the harbour?')
    await sendAfter()
    expect(browser.got.map(({ message: { title, body } }) => [title, body])).toEqual([
      ['«\u00a0Lyon lease\u00a0» attend votre réponse', ''],
      ['«\u00a0Lyon lease\u00a0» attend votre réponse', 'May I sell the harbour?'],
    ])
  })

  it('is not sent for items that were read, switched off or deleted', async () => {
    const { user, browser } = await aReader()
    await aFailedDocument(user)
    await app.http.inject({
      ...{ method: 'PUT', url: '/api/v1/notifications/read', headers: user.headers },
      payload: { until: new Date(Date.now() + 60_000).toISOString() },
    })
    await sendAfter()
    await aFailedDocument(user)
    await change(user, { switches: [{ kind: 'document_failed', channel: 'push', is_on: false }] })
    await sendAfter()
    await wantsPush(user, 'document_failed')
    const documentId = await aFailedDocument(user)
    await sql`delete from documents where id = ${documentId}`.execute(db())
    await sendAfter()
    expect([browser.got, service.posts()]).toEqual([[], 0])
  })

  it('waits while the person uses Atrium, and during quiet hours', async () => {
    const { user, browser } = await aReader()
    const presence = (is_present: boolean) =>
      app.http.inject({
        ...{ method: 'PUT', url: '/api/v1/notifications/presence', headers: user.headers },
        payload: { browser_id: '7f0f5c0e-5b0f-4f0e-8f0e-5b0f4f0e8f0e', is_present },
      })
    await presence(true)
    await aFailedDocument(user)
    await sendAfter()
    expect(browser.got).toEqual([])
    await presence(false)
    const now = new Date()
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
    await change(user, {
      quiet: { from: (minute + 1430) % 1440, until: (minute + 60) % 1440 },
      time_zone: 'UTC',
    })
    await sendAfter(2)
    expect([browser.got, await states(user)]).toEqual([[], ['waiting']])
    await change(user, { quiet: null })
    await sendAfter(120)
    expect(browser.got).toHaveLength(1)
  })

  it('is tried again only where it did not arrive, after the wait the service asks for', async () => {
    const { user, browser } = await aReader()
    const second = await subscribe(user)
    await aFailedDocument(user)
    service.answerNext({ status: 201 }, { status: 429, headers: { 'retry-after': '600' } })
    await sendAfter()
    expect([browser.got.length, second.got.length, await states(user)]).toEqual([1, 0, ['waiting']])
    await sendAfter(9)
    expect(second.got).toHaveLength(0)
    await sendAfter(2)
    expect([browser.got.length, second.got.length, await states(user)]).toEqual([1, 1, ['sent']])
  })

  it('is given up after six failures, and immediately when the service refuses it', async () => {
    const { user } = await aReader()
    await aFailedDocument(user)
    service.answerNext(...Array.from({ length: 6 }, () => ({ status: 503 })))
    for (let turn = 0; turn < 8; turn += 1) await sendAfter(120)
    expect([service.posts(), await states(user)]).toEqual([6, ['failed']])
    service.answerNext({ status: 400 })
    await aFailedDocument(user)
    await sendAfter()
    expect(await states(user)).toEqual(['failed', 'failed'])
  })

  it('forgets a browser that withdrew its permission', async () => {
    const { user, browser } = await aReader()
    browser.withdraw()
    await aFailedDocument(user)
    await sendAfter()
    expect((await call(user, 'GET')).body.browsers).toEqual([])
    expect(await states(user)).toEqual(['skipped'])
  })

  it('is sent again with the same tag after its process died', async () => {
    const { user, browser } = await aReader()
    await aFailedDocument(user)
    // A process claimed it and died.
    await sql`update notification_deliveries set due_at = now() + interval '5 minutes', tries = 1 where channel = 'push'`.execute(
      db(),
    )
    await sendAfter(4)
    expect(browser.got).toEqual([])
    await sendAfter(2)
    const [notification] = (
      await sql<{ id: string }>`select id from notifications where user_id = ${user.id}`.execute(db())
    ).rows
    expect(browser.got.map(({ message }) => message.tag)).toEqual([notification?.id])
  })
})

describe('a test notification', () => {
  it('reaches the browsers of the person, or says why not', async () => {
    const user = await aUser(app)
    expect((await call(user, 'POST', '/try')).status).toBe(409)
    const browser = await subscribe(user)
    expect((await call(user, 'POST', '/try')).status).toBe(204)
    expect(browser.got.map(({ message }) => message.title)).toEqual(['Notifications work'])
    service.answerNext({ status: 500 })
    const failed = await call(user, 'POST', '/try')
    expect(failed.status).toBe(503)
    expect(JSON.stringify(failed.body)).toContain('did not take the notification: 500 No.')
  })
})
