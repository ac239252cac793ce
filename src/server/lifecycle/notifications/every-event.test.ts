import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Notification } from '#shared/lifecycle/notifications/notifications.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, fails, says } from '#tests/model-server.ts'
import { setScheduleClockBetweenJobs } from '#tests/schedule-clock.ts'
import { aDocument } from '#tests/stored-document.ts'
import { runSchedules } from '../../chat/schedules/schedules.ts'

let chat: Chat
let bea: TestUser
let companyId: string
beforeAll(async () => {
  chat = await startChat({ user: { role: 'member' } })
  bea = await aUser(chat.app)
  const [row] = (
    await sql<{
      id: string
    }>`select company_id as id from company_members where user_id = ${chat.user.id} limit 1`.execute(db())
  ).rows
  companyId = row?.id ?? ''
  await sql`insert into company_members (company_id, user_id, role) values (${companyId}, ${bea.id}, 'member')`.execute(
    db(),
  )
})
afterAll(() => chat.close())

const db = () => chat.app.deps.db
const listed = async (user: TestUser): Promise<Notification[]> =>
  (await chat.call('GET', '/notifications?limit=100', undefined, user.headers as Record<string, string>)).body
    .items
const ofKind = async (kind: Notification['kind'], user = chat.user) =>
  (await listed(user)).filter((item) => item.kind === kind)
/** Waits for one notification of a kind, and returns it. */
async function theOnly(kind: Notification['kind'], user = chat.user): Promise<Notification> {
  await expect.poll(async () => (await ofKind(kind, user)).length, { timeout: 20_000 }).toBe(1)
  return (await ofKind(kind, user))[0] as Notification
}

async function aReply(words: string) {
  const id = await chat.aSession()
  chat.model.reply([says(words)])
  const stream = await chat.ask(id, 'Hi')
  await stream.ended
  return { id, messageId: stream.view()?.message_id }
}

/** Runs a schedule at 7 o'clock of a day, with this answer of the model. */
async function runAt(id: string, day: number, move: Parameters<Chat['model']['always']>[0]) {
  chat.model.always(move)
  await setScheduleClockBetweenJobs(chat.app, `2027-01-0${day}T06:00:01Z`)
  await runSchedules(chat.app.deps, new AbortController().signal)
  await setScheduleClockBetweenJobs(chat.app, `2027-01-0${day}T07:00:01Z`)
  await runSchedules(chat.app.deps, new AbortController().signal)
  const active = () => sql`select from slots where schedule_id = ${id} and state = 'running'`.execute(db())
  await expect.poll(async () => (await active()).rows.length, { timeout: 20_000 }).toBe(0)
  chat.model.forget()
}

async function aSchedule(more: object = {}) {
  await setScheduleClockBetweenJobs(chat.app, '2027-01-04T06:00:00Z')
  const answer = await chat.call('POST', '/schedules', {
    ...{ name: 'Watch', text: 'What is new?', model_name: 'compatible/scripted', target: 'new_chats' },
    ...{ rule: { kind: 'days', count: 1, time: '08:00' }, time_zone: 'Europe/Paris', ...more },
  })
  return answer.body.id as string
}

/** A project of the person with Bea, and a chat in it. */
async function aSharedChat({ isShared = true } = {}) {
  const { rows } = await sql<{
    id: string
  }>`insert into workspaces (user_id, name) values (${chat.user.id}, 'Leases') returning id`.execute(db())
  const project = rows[0]?.id
  await sql`insert into workspace_members (workspace_id, person_id, within, role, added_by)
    values (${project}, ${bea.id}, ${companyId}, 'reader', ${chat.user.id})`.execute(db())
  const id = await chat.aSession({ title: 'Lyon lease' })
  await sql`update sessions set workspace_id = ${project}, shared_with_project = ${isShared} where id = ${id}`.execute(
    db(),
  )
  return id
}

const mention = (id: string, personId: string) => {
  chat.model.reply([says('Fine.')])
  return chat.ask(id, { content: 'Look at this', mentions: [{ kind: 'person', id: personId }] })
}

const events: Record<string, () => Promise<void>> = {
  'a reply that finished': async () => {
    const { id, messageId } = await aReply('Hello')
    expect((await theOnly('reply_finished')).path).toBe(`/chat/${id}?message=${messageId}`)
  },
  'a question that waits': async () => {
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'ask' })
    chat.model.reply([calls('calculator', { a: 21, b: 2, operation: 'multiply' })])
    const id = await chat.aSession()
    await (await chat.ask(id, 'Go')).ended
    expect((await theOnly('question_waiting')).path).toMatch(new RegExp(`^/chat/${id}\\?message=`))
  },
  'a failed run and a stop of a schedule': async () => {
    const id = await aSchedule()
    await runAt(id, 5, () => [fails(400)])
    const failed = await theOnly('schedule_failed')
    expect(failed.path).toMatch(new RegExp(`^/schedules/${id}\\?slot=[0-9a-f-]{36}$`))
    expect(await ofKind('reply_failed')).toEqual([])
    await runAt(id, 6, () => [fails(400)])
    await runAt(id, 7, () => [fails(400)])
    expect((await theOnly('schedule_stopped')).path).toMatch(new RegExp(`^/schedules/${id}`))
    expect(await ofKind('schedule_failed')).toHaveLength(2)
  },
  'a changed result of a schedule': async () => {
    const before = (await ofKind('reply_finished')).length
    const id = await aSchedule({ only_changes: true })
    await runAt(id, 5, () => [says('Nothing new.')])
    await runAt(id, 6, () => [says('Nothing new.')])
    expect((await theOnly('schedule_changed')).path).toMatch(/^\/chat\/[0-9a-f-]{36}\?message=/)
    await runAt(id, 7, () => [says('A new law.')])
    expect(await ofKind('schedule_changed')).toHaveLength(2)
    expect(await ofKind('reply_finished')).toHaveLength(before)
  },
  'a document that is ready or failed': async () => {
    const { documentId } = await aDocument(chat.app, chat.user)
    for (const status of ['in_progress', 'completed', 'in_progress', 'failed'])
      await sql`update documents set status = ${status} where id = ${documentId}`.execute(db())
    expect((await theOnly('document_ready')).path).toBe(`/documents/${documentId}`)
    expect((await theOnly('document_failed')).path).toBe(`/documents/${documentId}`)
  },
  '80 % and 100 % of a budget': async () => {
    const { rows } = await sql<{ id: string }>`insert into budgets (kind, user_id, period, amount, since)
      values ('user', ${chat.user.id}, 'month', 10, current_date) returning id`.execute(db())
    for (const spent of [7.9, 8, 9, 10, 11])
      await sql`update budgets set spent = ${spent} where id = ${rows[0]?.id}`.execute(db())
    expect((await theOnly('budget_warning')).path).toBe('/user/billing')
    expect((await theOnly('budget_spent')).path).toBe('/user/billing')
    await sql`delete from budgets where id = ${rows[0]?.id}`.execute(db())
  },
  'a shared item': async () => {
    const { rows } = await sql<{ id: string }>`insert into prompts (user_id, name, command, text)
      values (${bea.id}, 'Minutes', 'minutes', 'Write the minutes.') returning id`.execute(db())
    await sql`insert into prompt_shares (prompt_id, person_id, within, shared_by)
      values (${rows[0]?.id}, ${chat.user.id}, ${companyId}, ${bea.id})`.execute(db())
    expect((await theOnly('item_shared')).path).toBe(`/prompts/${rows[0]?.id}`)
  },
  'a mention': async () => {
    const id = await aSharedChat()
    const stream = await mention(id, bea.id)
    await stream.ended
    const { path, name, by } = await theOnly('mentioned', bea)
    const { rows } = await sql<{
      id: string
    }>`select id from messages where session_id = ${id} and role = 'user'`.execute(db())
    expect([path, name, by]).toEqual([
      `/chat/${id}?message=${rows[0]?.id}`,
      'Look at this',
      chat.user.username,
    ])
    expect(await ofKind('mentioned')).toEqual([])
    const marks = { items: [{ session_id: id, is_unread: false }] }
    await chat.call('PUT', '/session-marks', marks, bea.headers as Record<string, string>)
    expect((await theOnly('mentioned', bea)).read_at).not.toBeNull()
  },
  'an announcement': async () => {
    const root = await aUser(chat.app, { role: 'super_admin' })
    const wish = {
      ...{ tone: 'news', text_en: 'Closed.', text_fr: null, link: null, by_mail: false, starts_at: null },
      ...{ audience: { company_ids: [companyId], group_ids: [], roles: [] } },
      ends_at: new Date(Date.now() + 86_400_000).toISOString(),
    }
    await chat.call('POST', '/admin/announcements', wish, root.headers as Record<string, string>)
    const { rows } = await sql<{
      id: string
    }>`select id from announcements order by starts_at desc limit 1`.execute(db())
    expect(rows).toHaveLength(1)
    expect((await theOnly('announcement')).path).toBe('/')
  },
}

it('reports each event once, to the person it concerns, with its exact place [NT-01]', {
  timeout: 180_000,
}, async () => {
  for (const [name, happen] of Object.entries(events)) {
    await sql`delete from notifications`.execute(db())
    await happen().catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`, { cause: error })
    })
  }
})

it('mentions no member in a private chat, and no stranger', async () => {
  await sql`delete from notifications`.execute(db())
  await (await mention(await aSharedChat({ isShared: false }), bea.id)).ended
  // The list hides what a person may not read, so the table is asked.
  const stored = await sql`select from notifications where kind = 'mentioned'`.execute(db())
  expect(stored.rows).toHaveLength(0)
  const stranger = await aUser(chat.app)
  const refused = await chat.call('POST', `/sessions/${await aSharedChat()}/messages`, {
    ...{ content: 'Look', mentions: [{ kind: 'person', id: stranger.id }] },
  })
  expect(refused.status).toBe(404)
})

it('regenerates the reply to a message that mentions a person who has left the project', async () => {
  const id = await aSharedChat()
  await (await mention(id, bea.id)).ended
  await sql`delete from workspace_members where person_id = ${bea.id}`.execute(db())
  const { rows } = await sql<{
    id: string
  }>`select id from messages where session_id = ${id} and role = 'assistant'`.execute(db())
  chat.model.reply([says('Fine again.')])
  const path = `${chat.url}/sessions/${id}/messages/${rows[0]?.id}/regenerate`
  const headers = { ...chat.user.headers, 'content-type': 'application/json' }
  const answer = await fetch(path, { method: 'POST', headers, body: '{}' })
  expect(answer.status, await answer.text()).toBe(200)
})

it('lists the other people of the project of a shared chat by their words', async () => {
  const id = await aSharedChat()
  const people = async (q: string, chatId = id) =>
    (await chat.call('GET', `/sessions/${chatId}/people?q=${q}`)).body.items
  expect(await people('')).toEqual([{ id: bea.id, name: bea.username }])
  expect(await people(bea.username.slice(0, 8).toUpperCase())).toHaveLength(1)
  expect(await people('nobody-has-this')).toEqual([])
  expect(await people('', await aSharedChat({ isShared: false }))).toEqual([])
})
