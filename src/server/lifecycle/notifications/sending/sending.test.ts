import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NotificationKind } from '#shared/lifecycle/notifications/kinds.ts'
import { startApp, type TestApp } from '#tests/app.ts'
import { aCompany, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { startSmtpServer } from '#tests/smtp-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import { SEND } from './send-notifications.ts'

type Smtp = Awaited<ReturnType<typeof startSmtpServer>>

let smtp: Smtp
let app: TestApp
beforeEach(() => begin())
afterEach(end)

async function begin(server: Parameters<typeof startSmtpServer>[0] = {}) {
  smtp = await startSmtpServer(server)
  app = await startApp({ config: { SMTP_URL: smtp.url, ATRIUM_LIMIT_MAILS_A_MINUTE: '60000' } })
}
async function end() {
  await app.close()
  smtp.close()
}

const db = () => app.deps.db
/** Returns the mails as sent, without the soft line breaks of quoted-printable. */
const said = () => smtp.said().replace(/=\r\n/g, '').replaceAll('=3D', '=')

/** Creates a person who gets mails about these kinds. */
async function aReader(kinds: NotificationKind[] = ['document_failed'], more: { companyId?: string } = {}) {
  const user = await aUser(app, { role: 'member', ...more })
  await change(user, { switches: kinds.map((kind) => ({ kind, channel: 'mail', is_on: true })) })
  return user
}

async function change(user: TestUser, payload: object) {
  const url = '/api/v1/notifications/settings'
  const { statusCode } = await app.http.inject({ method: 'PATCH', url, headers: user.headers, payload })
  expect(statusCode).toBe(200)
}

/** Lets the reading of a new document end. */
async function aReading(user: TestUser, status: 'completed' | 'failed' = 'failed') {
  const { documentId } = await aDocument(app, user)
  await sql`update documents set status = 'in_progress' where id = ${documentId}`.execute(db())
  await sql`update documents set status = ${status} where id = ${documentId}`.execute(db())
  return documentId
}

/** Asks a question in a new chat. Returns the key of its request. */
async function aQuestion(
  user: TestUser,
  { prompt = 'May I?', deadline = null as Date | null, more = {} } = {},
) {
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
    prompt,
    input_types: ['text'],
    ...more,
  }
  await sql`insert into input_requests (run_id, key, user_id, session_id, checkpoint_name, request, deadline)
    values (${run.id}, 'ask', ${user.id}, ${session_id}, 'ask', ${JSON.stringify(request)}, ${deadline})`.execute(
    db(),
  )
  return run.id
}

const moveBack = (minutes: number) =>
  sql`update notification_deliveries set due_at = due_at - ${minutes} * interval '1 minute',
    changed_at = changed_at - ${minutes} * interval '1 minute', created_at = created_at - ${minutes} * interval '1 minute'`.execute(
    db(),
  )
const states = async (user: TestUser) => {
  const { rows } = await sql<{ state: string }>`select state from notification_deliveries
    where user_id = ${user.id} and channel = 'mail' order by created_at`.execute(db())
  return rows.map(({ state }) => state)
}

/** Runs the job after `minutes` without events, and waits for its end. */
async function sendAfter(minutes: number) {
  await moveBack(minutes)
  await app.deps.jobs.add(SEND, {}, { key: SEND, queue: SEND })
  await expect.poll(() => app.deps.jobs.has(SEND), { timeout: 10_000, interval: 20 }).toBe(false)
}

/** Checks that a person who chose a daily mail gets one mail with all kinds at its time, and none before. */
async function sendADay() {
  const before = smtp.reached().length
  const user = await aReader(['document_failed', 'document_ready'])
  const now = new Date()
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
  await change(user, { digest_at: (minute + 60) % 1440, time_zone: 'UTC' })
  await aReading(user)
  await aReading(user, 'completed')
  await sendAfter(2)
  expect(smtp.reached()).toHaveLength(before)
  const { rows } = await sql<{
    due: Date
  }>`select due_at as due from notification_deliveries where user_id = ${user.id} limit 1`.execute(db())
  expect((rows[0]?.due.getTime() ?? 0) - now.getTime()).toBeGreaterThan(50 * 60_000)
  // The time of the daily mail passes: it is a minute ago.
  await change(user, { digest_at: (minute + 1439) % 1440 })
  await sendAfter(120)
  expect(smtp.reached().slice(before)).toEqual([user.email])
  expect(said()).toContain('Subject: Your day in Atrium: 2 notifications')
}

describe('a mail about notifications', () => {
  it('says what happened and where, in the language of the person', async () => {
    const user = await aReader()
    await sql`update users set language = 'fr' where id = ${user.id}`.execute(db())
    const documentId = await aReading(user)
    await sendAfter(0)
    expect(smtp.reached()).toEqual([])
    await sendAfter(2)
    expect(smtp.reached()).toEqual([user.email])
    expect(said()).toContain(`/documents/${documentId}`)
    expect(said()).toContain('n=E2=80=99a pas pu =C3=AAtre lu')
    expect(await states(user)).toEqual(['sent'])
    await sendAfter(300)
    expect(smtp.reached()).toHaveLength(1)
  })

  it('combines what happens within an hour by kind, or on one day when the person chose a daily mail [NT-06]', async () => {
    const user = await aReader(['document_failed', 'document_ready'])
    await aReading(user)
    await sendAfter(2)
    for (let n = 0; n < 3; n += 1) await aReading(user)
    await aReading(user, 'completed')
    await sendAfter(2)
    expect(smtp.reached()).toHaveLength(2)
    expect(said()).toMatch(/Subject: .*is_ready/)
    await sendAfter(30)
    expect(smtp.reached()).toHaveLength(2)
    await sendAfter(30)
    expect(smtp.reached()).toHaveLength(3)
    expect(said()).toContain('Subject: 3 documents could not be read')
    await sendADay()
  })

  it('waits while any browser of the person is in use, and is not sent when it was read [NT-03]', async () => {
    const [user, other] = [await aReader(), await aReader()]
    const [first, second] = [randomUUID(), randomUUID()]
    const presence = (browser_id: string, is_present: boolean) =>
      app.http.inject({
        ...{ method: 'PUT', url: '/api/v1/notifications/presence', headers: user.headers },
        payload: { browser_id, is_present },
      })
    for (const browser of [first, second]) expect((await presence(browser, true)).statusCode).toBe(204)
    await presence(first, false)
    await aReading(user)
    await aReading(other)
    await sendAfter(2)
    expect(smtp.reached()).toEqual([other.email])
    await sql`update notifications set read_at = now() where user_id = ${user.id}`.execute(db())
    await sql`update user_presence set seen_at = now() - interval '61 seconds'`.execute(db())
    await sendAfter(10)
    expect(await states(user)).toEqual(['skipped'])
    await aReading(user)
    await sendAfter(10)
    expect(smtp.reached()).toEqual([other.email, user.email])
  })

  it('waits for the end of the quiet hours in the time zone of the person, unless a deadline is within them', async () => {
    const user = await aReader(['question_waiting', 'document_failed'])
    const now = new Date()
    const minute = (now.getUTCHours() * 60 + now.getUTCMinutes() + 9 * 60) % 1440
    const quiet = { from: (minute + 1435) % 1440, until: (minute + 120) % 1440 }
    await change(user, { quiet, time_zone: 'Asia/Tokyo' })
    await aReading(user)
    await aQuestion(user, { deadline: new Date(now.getTime() + 30 * 60_000) })
    await sendAfter(2)
    expect(said()).toMatch(/Subject: .*is_waiting/)
    expect(smtp.reached()).toEqual([user.email])
    expect(await states(user)).toEqual(['waiting', 'sent'])
  })

  it.each([
    ['nothing', {}, false],
    ['the person', { person: true }, true],
    ['the company', { company: true }, true],
  ])('contains no chat content unless allowed: by %s', async (_, allowed, isShown) => {
    const companyId = await aCompany(app)
    const user = await aReader(['question_waiting'], { companyId })
    if ('person' in allowed) await change(user, { shows_content: true })
    if ('company' in allowed) {
      const root = await aUser(app, { role: 'super_admin' })
      const url = `/api/v1/admin/companies/${companyId}`
      const payload = { mails_show_content: true }
      const { statusCode } = await app.http.inject({ method: 'PATCH', url, headers: root.headers, payload })
      expect(statusCode).toBe(200)
    }
    await aQuestion(user, { prompt: 'Is the salary 4200?' })
    await sendAfter(2)
    expect(said()).toContain('Lyon lease')
    expect(said().includes('salary')).toBe(isShown)
  })

  it('is not sent to people without a verified address, nor about what was deleted', async () => {
    const [unverified, user] = [await aReader(), await aReader()]
    await sql`update users set email_verified_at = null where id = ${unverified.id}`.execute(db())
    await aReading(unverified)
    const documentId = await aReading(user)
    await sql`delete from documents where id = ${documentId}`.execute(db())
    await sendAfter(2)
    expect(smtp.reached()).toEqual([])
  })

  it('has an unknown outcome when the process died while sending, and is not sent again', async () => {
    const user = await aReader()
    await aReading(user)
    await sql`update notification_deliveries set state = 'sending', mail_id = gen_random_uuid()`.execute(db())
    await sendAfter(120)
    expect(await states(user)).toEqual(['unknown'])
    expect(smtp.reached()).toEqual([])
  })

  it('is tried again when the server refuses the address for now, and fails when it refuses for good', async () => {
    await end()
    await begin({ refuses: 'RCPT TO:<', with: '450 Try later' })
    const user = await aReader()
    await aReading(user)
    await sendAfter(2)
    expect(await states(user)).toEqual(['waiting'])
    await sql`update notification_deliveries set tries = 4`.execute(db())
    await sendAfter(120)
    expect(await states(user)).toEqual(['failed'])
  })
})

describe('a mail about a question', () => {
  const boolean = { input_types: ['boolean'] }
  const field = { name: 'site', label: 'Site', type: 'choice', required: true, options: ['Lyon', 'Nice'] }
  /** Returns the tokens and answers of the links in the plain text of the mails. */
  const links = () =>
    // SMTP doubles a point at the beginning of a line.
    [
      ...said()
        .replaceAll('..', '.')
        .matchAll(/\/login\/answer\?lang=(\w+)&token=([\w%.-]+)(?:&answer=(\w+))?\r/g),
    ].map(([, lang, token = '', answer]) => ({ lang, token: decodeURIComponent(token), answer }))

  it('has a link for yes and one for no', async () => {
    const user = await aReader(['question_waiting'])
    await aQuestion(user, { more: boolean })
    await sendAfter(2)
    expect(links().map(({ lang, answer }) => [lang, answer])).toEqual([
      ['en', 'true'],
      ['en', 'false'],
    ])
    const payload = { token: links()[0]?.token }
    const read = await app.http.inject({ method: 'POST', url: '/api/v1/mail-answers/read', payload })
    expect(read.json()).toMatchObject({ state: 'waiting', prompt: 'May I?', type: 'boolean' })
  })

  it('names the answers of a choice only when content is allowed', async () => {
    const user = await aReader(['question_waiting'])
    const more = { input_types: ['text'], fields: [field] }
    await aQuestion(user, { more })
    await sendAfter(2)
    expect(links().map(({ answer }) => answer)).toEqual([undefined])
    expect(said()).not.toContain('Nice')
    await change(user, { shows_content: true })
    await aQuestion(user, { more })
    await sendAfter(200)
    expect(links().map(({ answer }) => answer)).toEqual([undefined, 'Lyon', 'Nice'])
  })

  it('has no such link for a question outside of a chat', async () => {
    const user = await aReader(['question_waiting'])
    const run = await aQuestion(user, { more: boolean })
    await sql`update input_requests set session_id = null where run_id = ${run}`.execute(db())
    await sql`update notifications set session_id = null, message_id = null where run_id = ${run}`.execute(
      db(),
    )
    await sendAfter(2)
    expect(smtp.reached()).toHaveLength(1)
    expect(links()).toEqual([])
  })

  it('has no such link for a question with free text or an approval', async () => {
    const user = await aReader(['question_waiting'])
    await aQuestion(user)
    await aQuestion(user, { more: { ...boolean, kind: 'approval' } })
    await sendAfter(2)
    expect(smtp.reached()).toHaveLength(1)
    expect(links()).toEqual([])
  })
})

describe('unsubscribing', () => {
  const FORM = 'application/x-www-form-urlencoded'
  async function post(path: string) {
    if (app.http.addresses().length === 0) await app.http.listen({ host: '127.0.0.1', port: 0 })
    const body = 'List-Unsubscribe=One-Click'
    return fetch(app.http.listeningOrigin + path, { method: 'POST', headers: { 'content-type': FORM }, body })
  }
  /** Returns the address for mail programs in the last mail. */
  function lastAddress(): string {
    const [, address = ''] =
      [
        ...said()
          .replace(/\r\n /g, '')
          .matchAll(/List-Unsubscribe:\s*<([^>]+)>/g),
      ].at(-1) ?? []
    const { pathname, search } = new URL(address)
    return pathname + search
  }

  it('stops mails of one kind with one request without signing in, and no other kind [NT-09]', async () => {
    const user = await aReader(['document_failed', 'document_ready'])
    await aReading(user)
    await sendAfter(2)
    expect(said()).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const address = lastAddress()
    const opened = await app.http.inject({ method: 'GET', url: address })
    expect([opened.statusCode, opened.headers.location]).toEqual([
      302,
      expect.stringContaining('/login/stop-mails?token='),
    ])
    await aReading(user)
    await sendAfter(62)
    expect(smtp.reached()).toHaveLength(2)
    expect((await post(address)).status).toBe(200)
    await aReading(user)
    await aReading(user, 'completed')
    await sendAfter(62)
    expect(smtp.reached()).toHaveLength(3)
    expect(said().split('DATA').at(-1)).toContain('is ready')
  })

  it('stops the daily mail', async () => {
    const user = await aReader()
    await change(user, { digest_at: 0 })
    await aReading(user)
    await sendAfter(2 * 1440)
    expect(smtp.reached()).toHaveLength(1)
    expect((await post(lastAddress())).status).toBe(200)
    await aReading(user)
    await sendAfter(3 * 1440)
    expect(smtp.reached()).toHaveLength(1)
  })

  it('refuses tokens that were not made for it', async () => {
    const user = await aReader()
    const { secrets } = app.deps
    for (const token of [
      'x',
      secrets.seal(JSON.stringify({ stops: 'announcement_mails', userId: user.id })),
      secrets.seal(JSON.stringify({ stops: 'notification_mails', userId: user.id, kind: 'all' })),
      secrets.seal(JSON.stringify({ stops: 'notification_mails', userId: randomUUID(), kind: 'digest' })),
    ]) {
      const answer = await post(`/api/v1/notification-mails/unsubscribe?token=${encodeURIComponent(token)}`)
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        400,
        'token_invalid',
      ])
    }
  })
})

describe('a webhook for notifications', () => {
  it('gets each notification once, when no browser is in use', async () => {
    const user = await aUser(app)
    await sql`insert into webhooks (user_id, name, url, events, secret)
      values (${user.id}, 'Desk', 'https://desk.example/', '{notification.created}', 'sealed')`.execute(db())
    await sql`insert into user_presence values (${user.id}, gen_random_uuid(), now())`.execute(db())
    const documentId = await aReading(user)
    const deliveries = async () =>
      (await sql<{ type: string; data: object }>`select type, data from webhook_deliveries`.execute(db()))
        .rows
    await sendAfter(1)
    expect(await deliveries()).toEqual([])
    await sql`delete from user_presence`.execute(db())
    for (let n = 0; n < 2; n += 1) await sendAfter(1)
    expect(await deliveries()).toMatchObject([
      { type: 'notification.created', data: { kind: 'document_failed', document_id: documentId } },
    ])
  })
})
