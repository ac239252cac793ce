import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { aCompany, aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, fails, says } from '#tests/model-server.ts'
import { aDocument } from '#tests/stored-document.ts'

let chat: Chat
const leaving: (() => void)[] = []
beforeAll(async () => {
  chat = await startChat()
})
afterAll(async () => {
  for (const leave of leaving) leave()
  await chat.close()
})

const db = () => chat.app.deps.db

async function call(
  user: TestUser,
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
) {
  const answer = await chat.app.http.inject({
    ...{ method, url: `/api/v1${path}`, headers: user.headers },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.body ? answer.json() : null }
}

const listed = async (user: TestUser) => {
  const { status, body } = await call(user, 'GET', '/notifications')
  expect(status).toBe(200)
  return body as { items: Notification[]; unread: number; has_more: boolean }
}
const kindsOf = async (user: TestUser) => (await listed(user)).items.map(({ kind }) => kind)

/** Finishes a reply in a new chat of the person of the scene. */
async function aReply(words = 'Hello') {
  const id = await chat.aSession()
  chat.model.reply([says(words)])
  await (await chat.ask(id, 'Hi')).ended
  await vi.waitFor(async () => expect(await ofChat(id)).toHaveLength(1), 5_000)
  return id
}
const ofChat = async (id: string) =>
  (await listed(chat.user)).items.filter(({ path }) => path.startsWith(`/chat/${id}`))

/** Completes a document that was being read. */
async function read(documentId: string, status: 'completed' | 'failed') {
  await sql`update documents set status = 'in_progress' where id = ${documentId}`.execute(db())
  await sql`update documents set status = ${status} where id = ${documentId}`.execute(db())
}

describe('notifications', () => {
  it('report a finished reply until its chat is seen in any browser', async () => {
    const id = await aReply()
    expect(await ofChat(id)).toMatchObject([
      {
        kind: 'reply_finished',
        read_at: null,
        path: expect.stringMatching(/^\/chat\/[0-9a-f-]{36}\?message=[0-9a-f-]{36}$/),
      },
    ])
    const before = (await listed(chat.user)).unread
    await call(chat.user, 'PUT', '/session-marks', { items: [{ session_id: id, is_unread: false }] })
    expect(await ofChat(id)).toMatchObject([{ read_at: expect.any(String) }])
    expect((await listed(chat.user)).unread).toBe(before - 1)
  })

  it('report a question until it is answered', async () => {
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    chat.model.reply([calls('calculator', { a: 21, b: 2, operation: 'multiply' })], [says('It is 42.')])
    const id = await chat.aSession()
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    await vi.waitFor(async () =>
      expect(await ofChat(id)).toMatchObject([{ kind: 'question_waiting', read_at: null }]),
    )
    const block = stream.view()?.blocks.find(({ type }) => type === 'input_required')
    if (block?.type !== 'input_required') throw new Error('nothing was asked')
    const path = `/tool-executions/${block.tool?.tool_execution_id}/provide-input`
    await chat.call('POST', path, { input: { approved: true }, input_type: 'json' })
    await vi.waitFor(async () => {
      const question = (await ofChat(id)).find(({ kind }) => kind === 'question_waiting')
      expect(question?.read_at).toEqual(expect.any(String))
    })
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'auto' })
  })

  it('report documents that were read or could not be', async () => {
    const user = await aUser(chat.app)
    const { documentId } = await aDocument(chat.app, user)
    await read(documentId, 'completed')
    await read(documentId, 'failed')
    const { items } = await listed(user)
    expect(items).toMatchObject([
      { kind: 'document_failed', path: `/documents/${documentId}`, name: expect.any(String) },
      { kind: 'document_ready' },
    ])
  })

  it('report 80 % and 100 % of a budget, once per period', async () => {
    const user = await aUser(chat.app)
    const { rows } = await sql<{ id: string }>`insert into budgets (kind, user_id, period, amount, since)
      values ('user', ${user.id}, 'month', 10, current_date) returning id`.execute(db())
    const spend = (spent: number) =>
      sql`update budgets set spent = ${spent} where id = ${rows[0]?.id}`.execute(db())
    for (const spent of [7.9, 8, 9, 10, 11, 7, 8.5]) await spend(spent)
    expect((await listed(user)).items).toMatchObject([
      { kind: 'budget_spent', path: '/user/billing', budget: { spent: 10, amount: 10, period: 'month' } },
      { kind: 'budget_warning', budget: { spent: 8 } },
    ])
  })

  it('report what is shared with a person, a group or a company, until it is withdrawn', async () => {
    const companyId = await aCompany(chat.app, 'Orsane')
    const [owner, ines, tom] = [
      await aUser(chat.app, {
        role: 'company_admin',
        companyId,
        username: `owner-${randomUUID().slice(0, 8)}`,
      }),
      await aUser(chat.app, { role: 'member', companyId }),
      await aUser(chat.app, { role: 'member', companyId }),
    ]
    const prompt = (
      await sql<{ id: string }>`insert into prompts (user_id, name, command, text)
      values (${owner.id}, 'Minutes', 'minutes', 'Write the minutes.') returning id`.execute(db())
    ).rows[0]?.id
    const share = (to: 'person_id' | 'company_id', id: string) =>
      sql<{ id: string }>`insert into prompt_shares (prompt_id, ${sql.ref(to)}, within, shared_by)
        values (${prompt}, ${id}, ${to === 'person_id' ? companyId : null}, ${owner.id}) returning id`.execute(
        db(),
      )
    const withInes = (await share('person_id', ines.id)).rows[0]?.id
    expect((await listed(ines)).items).toMatchObject([
      {
        kind: 'item_shared',
        item: 'prompt',
        name: 'Minutes',
        by: owner.username,
        path: `/prompts/${prompt}`,
      },
    ])
    await sql`delete from prompt_shares where id = ${withInes}`.execute(db())
    expect(await kindsOf(ines)).toEqual([])
    await share('company_id', companyId)
    expect([await kindsOf(ines), await kindsOf(tom), await kindsOf(owner)]).toEqual([
      ['item_shared'],
      ['item_shared'],
      [],
    ])
    await sql`delete from company_members where user_id = ${tom.id}`.execute(db())
    expect(await listed(tom)).toMatchObject({ items: [], unread: 0 })
  })

  it('report a running announcement in the language of the person, until it is dismissed', async () => {
    const companyId = await aCompany(chat.app, 'Nord')
    const root = await aUser(chat.app, { role: 'super_admin' })
    const reader = await aUser(chat.app, { role: 'member', companyId })
    await sql`update users set language = 'fr' where id = ${reader.id}`.execute(db())
    const made = await call(root, 'POST', '/admin/announcements', {
      ...{ tone: 'news', text_en: 'Closed.', text_fr: 'Fermé.', link: null, by_mail: false, starts_at: null },
      ...{ audience: { company_ids: [companyId], group_ids: [], roles: [] } },
      ends_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    await vi.waitFor(
      async () =>
        expect((await listed(reader)).items).toMatchObject([{ kind: 'announcement', text: 'Fermé.' }]),
      10_000,
    )
    await call(reader, 'POST', `/users/me/announcements/${made.body.id}/dismissal`)
    expect((await listed(reader)).unread).toBe(0)
  })

  it('are marked as read by id or up to a time, in every browser, and never for others', async () => {
    const [user, stranger] = [await aUser(chat.app), await aUser(chat.app)]
    for (let n = 0; n < 3; n += 1) await read((await aDocument(chat.app, user)).documentId, 'completed')
    const stream = await openStream(`${chat.url}/users/me/events`, { headers: user.headers })
    leaving.push(stream.leave)
    await stream.until('user_stream_init')
    const { items } = await listed(user)
    const ids = [items[0]?.id ?? '']
    expect((await call(stranger, 'PUT', '/notifications/read', { ids })).status).toBe(200)
    expect((await listed(user)).unread).toBe(3)
    expect((await call(user, 'PUT', '/notifications/read', { ids })).body).toEqual({ unread: 2 })
    await stream.until('notifications_changed')
    const until = items[1]?.created_at
    expect((await call(user, 'PUT', '/notifications/read', { until })).body).toEqual({ unread: 0 })
    expect((await call(stranger, 'GET', '/notifications')).body.items).toEqual([])
  })

  it('are not written for a kind that is off on every channel, nor shown when they are off in Atrium', async () => {
    const user = await aUser(chat.app)
    const off = (channel: string) => ({ kind: 'document_ready', channel, is_on: false })
    await call(user, 'PATCH', '/notifications/settings', { switches: [off('in_app')] })
    await read((await aDocument(chat.app, user)).documentId, 'completed')
    expect(await listed(user)).toMatchObject({ items: [], unread: 0 })
    await call(user, 'PATCH', '/notifications/settings', { switches: [off('in_app'), off('webhook')] })
    await read((await aDocument(chat.app, user)).documentId, 'completed')
    const { rows } = await sql`select from notifications where user_id = ${user.id}`.execute(db())
    expect(rows).toHaveLength(0)
  })

  it('hide a deleted chat', async () => {
    const id = await aReply()
    await chat.call('DELETE', `/sessions/${id}`)
    expect(await ofChat(id)).toEqual([])
  })

  it('report a failed reply', async () => {
    const id = await chat.aSession()
    chat.model.reply([fails(400)])
    await (await chat.ask(id, 'Hi')).ended
    await vi.waitFor(async () => expect(await ofChat(id)).toMatchObject([{ kind: 'reply_failed' }]), 10_000)
  })
})

describe('settings', () => {
  it('begin with pushes and mails only for what waits for the person, ended, or names the person', async () => {
    const user = await aUser(chat.app)
    const { switches } = (await call(user, 'GET', '/notifications/settings')).body
    const on = (channel: string) =>
      Object.keys(switches)
        .filter((kind) => switches[kind][channel])
        .sort()
    const both = [
      'connector_asks',
      'connector_signed_out',
      'deputy_asked',
      'mentioned',
      'question_waiting',
      'reminder',
      'reply_failed',
      'reply_unsent',
      'schedule_failed',
    ]
    const pushed = [...both, 'reply_finished', 'schedule_changed', 'schedule_stopped']
    expect(on('push')).toEqual(pushed.sort())
    const mailed = [
      ...both,
      'budget_spent',
      'budget_warning',
      'item_shared',
      'schedule_offered',
      'schedule_stopped',
    ]
    expect(on('mail')).toEqual(['announcement', ...mailed].sort())
    expect([on('in_app').length, on('webhook').length]).toEqual([19, 19])
  })

  it('keep changes of several browsers, and refuse unknown time zones', async () => {
    const user = await aUser(chat.app)
    const change = (body: object) => call(user, 'PATCH', '/notifications/settings', body)
    const switched = (kind: string) => ({ switches: [{ kind, channel: 'mail', is_on: true }] })
    await Promise.all([
      change(switched('document_ready')),
      change(switched('reply_finished')),
      change({ quiet: { from: 1140, until: 450 }, time_zone: 'Europe/Paris' }),
      change({ digest_at: 1080 }),
    ])
    expect((await call(user, 'GET', '/notifications/settings')).body).toMatchObject({
      switches: {
        document_ready: { mail: true },
        reply_finished: { mail: true },
        document_failed: { mail: false },
      },
      ...{ quiet: { from: 1140, until: 450 }, time_zone: 'Europe/Paris', digest_at: 1080, only_away: true },
    })
    expect((await change({ quiet: null, digest_at: null })).body).toMatchObject({
      quiet: null,
      digest_at: null,
    })
    expect((await change({ time_zone: 'Mars/Olympus' })).status).toBe(422)
  })

  it('turn mails of announcements off where announcements look it up', async () => {
    const user = await aUser(chat.app)
    const off = { switches: [{ kind: 'announcement', channel: 'mail', is_on: false }] }
    const { body } = await call(user, 'PATCH', '/notifications/settings', off)
    expect(body.switches.announcement.mail).toBe(false)
    const { preferences } = (await call(user, 'GET', '/users/me')).body
    expect(preferences).toMatchObject({ announcement_mails: false, working_memory: false })
  })
})

it('lists pages, newest first', async () => {
  const user = await aUser(chat.app)
  await aSession(chat.app, user)
  for (let n = 0; n < 3; n += 1) await read((await aDocument(chat.app, user)).documentId, 'completed')
  const page = async (number: number) =>
    (await call(user, 'GET', `/notifications?limit=2&page=${number}`)).body
  const [first, second] = [await page(1), await page(2)]
  expect([first.has_more, second.has_more, second.items.length]).toEqual([true, false, 1])
  const times = [...first.items, ...second.items].map(({ created_at }: Notification) => created_at)
  expect(times).toEqual(times.toSorted().reverse())
})
