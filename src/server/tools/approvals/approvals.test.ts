import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Answer, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'
import { notifyDeputies } from './approval-store.ts'

let chat: Chat
let company: string
let [boss, approver, deputy, colleague]: TestUser[] = []
let path: string

beforeAll(async () => {
  chat = await startChat({ user: { role: 'member' } })
  const { rows } = await sql<{ id: string }>`select company_id as id from company_members
    where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
  company = rows[0]!.id
  const inCompany = (role: 'member' | 'company_admin') => aUser(chat.app, { role, companyId: company })
  boss = await inCompany('company_admin')
  approver = await inCompany('member')
  deputy = await inCompany('member')
  colleague = await inCompany('member')
  path = `/admin/companies/${company}/tool-approvals/calculator`
})
afterAll(() => chat.close())
beforeEach(async () => {
  await sql`delete from tool_approvals`.execute(chat.app.deps.db)
  chat.model.always(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? [says('Done.')]
      : [calls('calculator', { a: 21, b: 2, operation: 'multiply' })],
  )
})

async function as(user: TestUser | undefined, method: string, to: string, body?: unknown): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const text = body === undefined ? null : JSON.stringify(body)
  const answer = await fetch(chat.url + to, { method, headers: { ...user?.headers, ...type }, body: text })
  const read = await answer.text()
  return { status: answer.status, body: read === '' ? null : JSON.parse(read) }
}
const person = (user: TestUser | undefined) => ({ kind: 'person', id: user?.id })
const name = (wish: object = {}) =>
  as(boss, 'PUT', path, { approver: person(approver), deputy: null, deadline_minutes: 60, ...wish })

/** Asks in a new chat, and returns the request that the run waits for. */
async function ask(user = chat.user) {
  expect(user).toBe(chat.user)
  const sessionId = await chat.aSession()
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const request = stream.view()?.blocks.find(({ type }) => type === 'input_required')
  if (request?.type !== 'input_required') return { sessionId, request: null, execution: '', path: '' }
  const execution = request.tool?.tool_execution_id ?? ''
  return { sessionId, request, execution, path: `/tool-executions/${execution}/decide` }
}
const resultOf = (execution: string) =>
  expect.poll(async () => (await chat.call('GET', `/tool-executions/${execution}`)).body, { timeout: 20_000 })
    .toMatchObject
const ended = (sessionId: string) =>
  expect
    .poll(async () => (await chat.call('GET', `/sessions/${sessionId}`)).body.status, { timeout: 20_000 })
    .toBe('COMPLETED')
const inboxOf = async (user: TestUser | undefined) => (await as(user, 'GET', '/input-requests')).body.items
const notifications = async (user: TestUser | undefined) =>
  (await as(user, 'GET', '/notifications')).body.items

describe('a tool whose company names an approver', () => {
  it('waits for them, shows them the call and its person, and runs once they approve [AC-04]', async () => {
    await name()
    const { request, execution, path: decide, sessionId } = await ask()
    expect(request).toMatchObject({
      kind: 'approval',
      approver: { by: { kind: 'person', id: approver?.id }, deputy: null, deputy_from: null },
    })
    const [item, ...others] = await inboxOf(approver)
    expect(others).toEqual([])
    expect(item).toMatchObject({ session_id: null, session_title: null, asked_by: chat.user.username })
    expect(item.request.tool).toMatchObject({ tool_id: 'calculator', input: { a: 21, b: 2 } })
    expect((await as(approver, 'GET', `/sessions/${sessionId}`)).status).not.toBe(200)
    expect(await notifications(approver)).toMatchObject([{ kind: 'question_waiting', path: '/inbox' }])
    expect((await as(approver, 'POST', decide, { input: { approved: true } })).status).toBe(200)
    await resultOf(execution)({ status: 'complete' })
    const { rows } = await sql<{
      events: unknown
    }>`select r.value -> 'events' as events from run_records r join runs on runs.id = r.run_id
      where runs.session_id = ${sessionId} and r.kind = 'answer'`.execute(chat.app.deps.db)
    expect(rows).toMatchObject([{ events: [{ answered_by: approver?.username }] }])
    expect(await inboxOf(approver)).toEqual([])
    expect((await as(approver, 'GET', '/input-requests?status=answered')).body.items).toHaveLength(1)
    const audit = (await as(boss, 'GET', '/admin/audit')).body.items
    expect(audit.map(({ did }: { did: string }) => did)).toEqual(
      expect.arrayContaining(['approver.named', 'approval.given']),
    )
  }, 60_000)

  it('counts no approval by its person, an administrator, a colleague or the wrong time of a deputy [AC-04]', async () => {
    await name({ deputy: person(deputy), deputy_minutes: 30 })
    const { execution, path: decide, sessionId, request } = await ask()
    const own = `/sessions/${sessionId}/provide-input`
    const yes = { input: true, input_type: 'boolean' }
    const byChat = await chat.call('POST', own, { checkpoint_name: request?.checkpoint_name, ...yes })
    expect([byChat.status, byChat.body.detail]).toEqual([
      403,
      `Only ${approver?.username} or ${deputy?.username} can decide this.`,
    ])
    expect((await chat.call('POST', `/tool-executions/${execution}/provide-input`, yes)).status).toBe(403)
    for (const user of [chat.user, boss, colleague, deputy])
      expect((await as(user, 'POST', decide, { input: { approved: true } })).status).toBe(403)
    expect(await inboxOf(chat.user)).toEqual([])
    expect(await inboxOf(deputy)).toEqual([])
    expect(await notifications(deputy)).toEqual([])
    expect((await chat.call('GET', `/tool-executions/${execution}`)).body.status).toBe('pending')
    await chat.call('POST', `/sessions/${sessionId}/stop`)
  }, 60_000)

  it('is approved by the deputy from their time on, who is notified then, once [AC-04]', async () => {
    await name({ deputy: person(deputy), deputy_minutes: 30 })
    const { db } = chat.app.deps
    const { execution, path: decide } = await ask()
    await notifyDeputies(db)
    expect(await notifications(deputy)).toEqual([])
    await sql`update input_requests set deputy_from = clock_timestamp() - interval '1 minute'
      where tool_execution_id = ${execution}`.execute(db)
    await notifyDeputies(db)
    await notifyDeputies(db)
    expect(await notifications(deputy)).toHaveLength(1)
    expect((await as(deputy, 'POST', decide, { input: { approved: true } })).status).toBe(200)
    await resultOf(execution)({ status: 'complete' })
  }, 60_000)

  it('is never approved by its person, also as the approver or a member of the group [AC-04]', async () => {
    const made = await as(boss, 'POST', '/admin/groups', { company_id: company, name: 'Finance' })
    const group = { kind: 'group', id: made.body.id }
    const members = (ids: (string | undefined)[]) =>
      sql`insert into group_members (group_id, company_id, user_id) select ${group.id}, ${company}, id::uuid
        from unnest(${ids}::text[]) id`.execute(chat.app.deps.db)
    await members([chat.user.id])
    await name({ approver: group, deputy: person(deputy), deputy_minutes: 600 })
    const alone = await ask()
    expect((await chat.call('POST', alone.path, { input: { approved: true } })).status).toBe(403)
    // The deputy need not wait for an approver who cannot act.
    expect((await as(deputy, 'POST', alone.path, { input: { approved: true } })).status).toBe(200)
    await members([colleague?.id])
    const shared = await ask()
    expect((await chat.call('POST', shared.path, { input: { approved: true } })).status).toBe(403)
    expect((await as(colleague, 'POST', shared.path, { input: { approved: true } })).status).toBe(200)
    await name({ approver: person(chat.user) })
    const { request } = await ask()
    expect(request).toBeNull()
    expect(JSON.stringify(chat.model.requests.at(-1)?.messages)).toContain('nobody of them can give it')
  }, 60_000)

  it('is approved for one call only: a return to a checkpoint before the call asks again [AC-04]', async () => {
    await name()
    const { execution, path: decide, sessionId } = await ask()
    expect((await as(approver, 'POST', decide, { input: { approved: true } })).status).toBe(200)
    await resultOf(execution)({ status: 'complete' })
    await ended(sessionId)
    const list = (await chat.call('GET', `/sessions/${sessionId}/checkpoints?limit=100`)).body
    const answered = list.find((one: Checkpoint) => one.checkpoint_name.endsWith('_with_input'))
    const stream = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
      ...{ method: 'POST', headers: chat.user.headers },
      body: {
        checkpoint_name: answered.checkpoint_name,
        message_id: answered.message_id,
        checkpoint_hint: answered.id,
      },
    })
    await stream.ended
    expect(stream.view()).toMatchObject({ status: 'waiting' })
    const asked = stream.view()?.blocks.find(({ type }) => type === 'input_required')
    expect(asked).toMatchObject({ state: 'waiting', approver: { by: { id: approver?.id } } })
    const again = asked?.type === 'input_required' ? asked.tool?.tool_execution_id : ''
    expect(again).not.toBe(execution)
    expect((await chat.call('GET', `/tool-executions/${again}`)).body.status).toBe('pending')
    await as(approver, 'POST', `/tool-executions/${again}/decide`, { input: { approved: true } })
    await resultOf(again ?? '')({ status: 'complete' })
  }, 60_000)

  it('is declined at its deadline, and by an approver who left [AC-04]', async () => {
    const { db, clock } = chat.app.deps
    await name({ deadline_minutes: 5 })
    const late = await ask()
    const due = Date.parse(late.request?.deadline ?? '') - clock.now().getTime()
    expect(due / 60_000).toBeGreaterThan(4)
    expect(due / 60_000).toBeLessThanOrEqual(5)
    await sql`update input_requests set deadline = clock_timestamp() - interval '1 second'
      where tool_execution_id = ${late.execution}`.execute(db)
    await resultOf(late.execution)({ status: 'error', error: 'Nobody approved this call in time.' })
    const left = await ask()
    await sql`delete from company_members where user_id = ${approver?.id}`.execute(db)
    expect((await as(approver, 'POST', left.path, { input: { approved: true } })).status).toBe(403)
    await sql`delete from users where id = ${approver?.id}`.execute(db)
    const yes = { input: true, input_type: 'boolean' }
    expect((await chat.call('POST', `/tool-executions/${left.execution}/provide-input`, yes)).status).toBe(
      403,
    )
    approver = await aUser(chat.app, { role: 'member', companyId: company })
  }, 60_000)

  it('asks also where the person lets it run unasked, and no longer when the approver is removed [AC-04]', async () => {
    await chat.call('PUT', '/tools/calculator/policy', { policy: 'auto' })
    await name()
    expect((await ask()).request).toMatchObject({ kind: 'approval' })
    expect((await as(boss, 'DELETE', path)).status).toBe(204)
    expect((await ask()).request).toBeNull()
  }, 60_000)
})

it('an approver is a person or a group of the company, and the deputy another one', async () => {
  const stranger = await aUser(chat.app, { role: 'member' })
  const refused = await name({ approver: person(stranger) })
  expect([refused.status, refused.body.detail]).toEqual([422, 'Choose a person or a group of this company.'])
  expect((await name({ deputy: person(approver) })).body.detail).toBe(
    'Choose a deputy other than the approver.',
  )
  expect((await as(colleague, 'GET', path.replace(/\/calculator$/, ''))).status).toBe(403)
  await name({ deputy: person(deputy) })
  const { body } = await as(boss, 'GET', path.replace(/\/calculator$/, ''))
  expect(body.items).toMatchObject([
    { tool_id: 'calculator', tool_name: expect.any(String), deadline_minutes: 60, deputy_minutes: 60 },
  ])
})
