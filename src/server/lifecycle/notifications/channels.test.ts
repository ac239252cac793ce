import { sql } from 'kysely'
import { Webhook as Receiver } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notificationChannels, notificationKinds } from '#shared/lifecycle/notifications/kinds.ts'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { type ApiRequest, type ApiServer, startApiServer } from '#tests/api-server.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'
import { startPushService } from '#tests/push-service.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import { SEND_PUSHES } from './push/send-pushes.ts'
import { SEND } from './sending/send-notifications.ts'

let app: TestApp
let receiver: ApiServer
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let service: Awaited<ReturnType<typeof startPushService>>
beforeAll(async () => {
  receiver = await startApiServer()
  receiver.answer({ body: { ok: true } })
  smtp = await startSmtpServer()
  service = await startPushService()
  const config = { ATRIUM_TOOLS_PRIVATE: `${receiver.url},${service.url}`, SMTP_URL: smtp.url }
  app = await startApp({ config: { ...config, ATRIUM_LIMIT_MAILS_A_MINUTE: '60000' } })
})
afterAll(async () => {
  await app.close()
  await receiver.close()
  smtp.close()
  service.close()
})

const db = () => app.deps.db

async function call(user: TestUser, method: 'GET' | 'PATCH' | 'POST', path: string, payload?: object) {
  const answer = await app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: user.headers },
    ...(payload && { payload }),
  })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json()
}

/** A person who can be reached by every channel. */
async function aReader() {
  const user = await aUser(app, { role: 'member' })
  const browser = service.subscribe()
  await sql`insert into push_subscriptions (user_id, token_hash, endpoint, p256dh, auth)
    select user_id, token_hash, ${browser.endpoint}, ${browser.keys.p256dh}, ${browser.keys.auth}
    from access_tokens where user_id = ${user.id} order by created_at desc limit 1`.execute(db())
  const wish = { name: 'Desk', url: `${receiver.url}/desk`, events: ['notification.created'] }
  const { secret } = await call(user, 'POST', '/webhooks', wish)
  return { user, browser, secret: secret as string }
}

/** Returns the channels that would report a new notification of a kind. */
async function channelsOf(user: TestUser, kind: string, event: string): Promise<string[]> {
  await sql`select notify_person(${user.id}, ${kind}, ${event}, '{}')`.execute(db())
  const { rows } = await sql<{ channel: string }>`
    select channel from notification_deliveries d join notifications n on n.id = d.notification_id
      where n.user_id = ${user.id} and n.event = ${event}
    union select 'in_app' from notifications where user_id = ${user.id} and event = ${event} and in_app
    order by 1`.execute(db())
  return rows.map(({ channel }) => channel)
}

async function send() {
  for (const name of [SEND, SEND_PUSHES]) {
    await app.deps.jobs.add(name, {}, { key: name, queue: name })
    await expect.poll(() => app.deps.jobs.has(name), { timeout: 10_000, interval: 20 }).toBe(false)
  }
}

it('reports each event by exactly the channels that are on, outside the quiet hours of the person [NT-02]', {
  timeout: 120_000,
}, async () => {
  const { user, browser, secret } = await aReader()
  const wrong: string[] = []
  for (const kind of notificationKinds)
    for (const on of notificationChannels) {
      // Mails of announcements are sent with the announcement, and follow the same switch (settings-store.ts).
      if (kind === 'announcement' && on === 'mail') continue
      const switches = notificationChannels.map((channel) => ({ kind, channel, is_on: channel === on }))
      await call(user, 'PATCH', '/notifications/settings', { switches })
      const told = await channelsOf(user, kind, `${kind} ${on}`)
      if (told.join() !== on) wrong.push(`${kind} ${on}: ${told.join()}`)
    }
  expect(wrong).toEqual([])
  await sql`delete from notifications`.execute(db())

  const switches = notificationChannels.map((channel) => ({ kind: 'document_failed', channel, is_on: true }))
  const now = new Date()
  const minute = (now.getUTCHours() * 60 + now.getUTCMinutes() + 9 * 60) % 1440
  const quiet = { from: (minute + 1435) % 1440, until: (minute + 60) % 1440 }
  await call(user, 'PATCH', '/notifications/settings', { switches, quiet, time_zone: 'Asia/Tokyo' })
  const { documentId } = await aDocument(app, user)
  for (const status of ['in_progress', 'failed'])
    await sql`update documents set status = ${status} where id = ${documentId}`.execute(db())
  const due = sql`update notification_deliveries set due_at = now() where state = 'waiting'`
  await due.execute(db())
  await send()
  const shown = () => browser.got.filter(({ message }) => message.path === `/documents/${documentId}`)
  expect([smtp.reached(), shown()]).toEqual([[], []])
  const { items } = await call(user, 'GET', '/notifications')
  expect(items.map(({ kind }: Notification) => kind)).toEqual(['document_failed'])

  // The same hours have passed in another zone.
  await call(user, 'PATCH', '/notifications/settings', { time_zone: 'America/Los_Angeles' })
  await due.execute(db())
  await send()
  expect(smtp.reached()).toEqual([user.email])
  expect(shown()).toHaveLength(1)
  const told = () => receiver.asked.filter((one) => one.body.includes(documentId))
  await expect.poll(() => told().length, { timeout: 15_000 }).toBe(1)
  const { headers, body } = told()[0] as ApiRequest
  const signed = new Receiver(secret).verify(body, headers as Record<string, string>)
  expect(signed).toMatchObject({ type: 'notification.created', data: { document_id: documentId } })
})

/** Asks a question in a new chat of the person. */
async function aQuestion(user: TestUser) {
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
  const request = {
    type: 'input_required',
    id: 'q',
    kind: 'question',
    checkpoint_name: 'ask',
    input_types: ['text'],
  }
  await sql`insert into input_requests (run_id, key, user_id, session_id, checkpoint_name, request)
    values (${run.id}, 'ask', ${user.id}, ${session_id}, 'ask', ${JSON.stringify({ ...request, prompt: 'Sell the harbour?' })})`.execute(
    db(),
  )
}

/** Lets a chat of the person get a reply with a text. */
async function aReply(user: TestUser) {
  const { id, messageIds } = await aSession(app, user, { turns: 1, title: 'Lyon lease' })
  await sql`update sessions set preview = 'The rent is secret.' where id = ${id}`.execute(db())
  await sql`insert into runs (user_id, session_id, user_message_id, message_id, agent_type, agent_version, state)
    values (${user.id}, ${id}, ${messageIds[0]}, ${messageIds[1]}, 'multi_turn', 1, 'running')`.execute(db())
  await sql`update runs set state = 'completed' where session_id = ${id}`.execute(db())
}

type Allowed = { byPerson?: boolean; byCompany?: boolean }

it('quotes no chat in push and mail, unless the person or a company of the person allows it [NT-08]', {
  timeout: 60_000,
}, async () => {
  await assertQuotes({}, false)
  await assertQuotes({ byPerson: true }, true)
  await assertQuotes({ byCompany: true }, true)
})

async function assertQuotes(allowed: Allowed, isShown: boolean) {
  const { user, browser } = await aReader()
  const kinds = ['question_waiting', 'reply_finished']
  const switches = kinds.flatMap((kind) =>
    notificationChannels.map((channel) => ({ kind, channel, is_on: true })),
  )
  await call(user, 'PATCH', '/notifications/settings', {
    switches,
    shows_content: allowed.byPerson === true,
  })
  if (allowed.byCompany)
    await sql`update companies set mails_show_content = true where id in (
      select company_id from company_members where user_id = ${user.id})`.execute(db())
  const before = smtp.said().length
  await aQuestion(user)
  await aReply(user)
  await sql`update notification_deliveries set due_at = now() where state = 'waiting'`.execute(db())
  await send()
  await expect.poll(() => browser.got.length, { timeout: 10_000 }).toBe(2)
  const mails = smtp.said().slice(before).replace(/=\r\n/g, '')
  expect(smtp.reached().filter((to) => to === user.email)).toHaveLength(2)
  const pushes = JSON.stringify(browser.got.map(({ message }) => message))
  for (const told of [mails, pushes]) {
    expect(told).toContain('Lyon lease')
    expect([told.includes('Sell the harbour?'), told.includes('The rent is secret.')]).toEqual([
      isShown,
      isShown,
    ])
  }
}
