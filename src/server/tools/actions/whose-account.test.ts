import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { approve, askToAct, decide } from '#tests/actions/acting.ts'
import { keepTestAccount } from '#tests/actions/connected-account.ts'
import { serviceConfig } from '#tests/actions/service-config.ts'
import { emptyState, type ServiceWorld, startServiceWorld } from '#tests/actions/service-world.ts'
import { aSession, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'
import { meansOfPerson } from './actions.ts'

let world: ServiceWorld
let chat: Chat
let bob: TestUser
let asBob: Chat
let companyId: string
beforeAll(async () => {
  world = await startServiceWorld()
  chat = await startChat({ app: { config: serviceConfig(world) }, user: { role: 'company_admin' } })
  const { rows } = await sql<{ id: string }>`select company_id as id from company_members
    where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
  companyId = rows[0]!.id
  bob = await aUser(chat.app, { role: 'company_admin', companyId })
  asBob = {
    ...chat,
    user: bob,
    call: (method, path, body, more = {}) => chat.call(method, path, body, { ...bob.headers, ...more }),
  } as Chat
})
afterAll(async () => {
  await chat.close()
  await world.close()
})
beforeEach(async () => {
  world.asked.length = 0
  world.state = emptyState()
  await sql`delete from personal_accounts`.execute(chat.app.deps.db)
  await keepTestAccount(chat.app, chat.user.id, 'google', { services: world }, 'ada@example.com')
})

const MAIL = { to: ['carol@example.org'], subject: 'Hello', body: 'Hello' }
const connectBob = () => keepTestAccount(chat.app, bob.id, 'google', { services: world }, 'bob@example.com')
const tokens = () => [...new Set(world.asked.map(({ by }) => by))]

/** Lets the model call a tool for Bob in a chat. Returns the request, and the error of the call. */
async function askAsBob(
  tool: string,
  input: object,
  metadata: Record<string, unknown> = {},
  sessionId?: string,
) {
  const session =
    sessionId ?? (await aSession(chat.app, bob, { modelName: 'compatible/scripted', metadata })).id
  const ask: Chat['ask'] = (id, body) =>
    openStream(`${chat.url}/sessions/${id}/messages`, {
      ...{ method: 'POST', headers: bob.headers, body: { content: String(body) } },
    })
  return askToAct({ ...asBob, ask }, tool, input, session)
}
/** Puts a chat of Ada into a project whose chats Bob continues. */
async function shareWithBob(session_id: string) {
  const workspace_id = (await chat.call('POST', '/workspaces', { name: `Shared ${Math.random()}` })).body.id
  const member = { recipient: { who: 'person', id: bob.id }, role: 'writer' }
  expect((await chat.call('POST', `/projects/${workspace_id}/members`, member)).status).toBe(200)
  const items = [{ session_id, workspace_id, is_shared: true }]
  expect((await chat.call('PUT', '/session-projects', { items })).status).toBe(200)
}
const errorOf = ({ blocks }: Awaited<ReturnType<typeof askAsBob>>) =>
  blocks.flatMap((block) => (block.type === 'tool' ? [block.error ?? ''] : []))[0]

describe('the account of a person', () => {
  it('is used by their own runs [AC-01]', async () => {
    const { execution } = await askToAct(chat, 'send_mail', MAIL)
    expect((await approve(chat, execution)).error).toBeNull()
    expect([world.state.sent.length, tokens()]).toEqual([1, ['Bearer token-of-ada@example.com']])
  })

  it('is never used by a run of another person, even when it names the account [AC-01]', async () => {
    const without = await askAsBob('send_mail', { ...MAIL, from: 'ada@example.com' })
    expect([without.request, errorOf(without)]).toEqual([null, 'There is no tool named send_mail.'])
    expect((await asBob.call('POST', '/tools/send_mail/execute', { inputs: MAIL })).status).toBe(404)
    await connectBob()
    const named = await askAsBob('send_mail', { ...MAIL, from: 'ada@example.com' })
    expect([named.request, errorOf(named)]).toEqual([
      null,
      'The account ada@example.com is not connected. Leave the account out to use the one that is.',
    ])
    const own = await askAsBob('send_mail', MAIL)
    const changed = { ...MAIL, from: 'ada@example.com' }
    expect(await approve(asBob, own.execution, changed)).toMatchObject({ status: 'error' })
    expect([world.state.sent, world.asked]).toEqual([[], []])
  })

  it('is never used by those who use an assistant of its person [AC-01]', async () => {
    const made = {
      name: 'Mailer',
      status: 'published',
      agent_type: 'multi_turn',
      tools: ['send_mail', 'search_mail'],
    }
    const assistant = {
      ...made,
      system_prompt: 'Send mails.',
      shares: [{ company_id: companyId, access: 'use' }],
    }
    const { status, body } = await chat.call('POST', '/assistants', assistant)
    expect(status, JSON.stringify(body)).toBe(201)
    const metadata = { assistant_id: body.id }
    expect((await askAsBob('search_mail', {}, metadata)).request).toBeNull()
    expect(world.asked).toEqual([])
    await connectBob()
    await askAsBob('search_mail', {}, metadata)
    expect(tokens()).toEqual(['Bearer token-of-bob@example.com'])
  })

  it('is never used in a chat that others read, and only its person approves a draft [AC-01]', async () => {
    await connectBob()
    const drafted = await askToAct(chat, 'send_mail', MAIL)
    await shareWithBob(drafted.sessionId)
    const byBob = { input: { approved: true }, input_type: 'json' }
    const path = `/tool-executions/${drafted.execution}/provide-input`
    expect((await asBob.call('POST', path, byBob)).status).toBe(403)
    // It was shared since it was drafted.
    expect((await approve(chat, drafted.execution)).error).toContain('in a chat that others can read')
    const byAda = await askToAct(chat, 'search_mail', {}, drafted.sessionId)
    expect(errorOf(byAda)).toContain('in a chat that others can read')
    const inIt = await askAsBob('search_mail', {}, {}, drafted.sessionId)
    expect(errorOf(inIt)).toBe('There is no tool named search_mail.')
    expect(world.asked).toEqual([])
  })

  it('is not used again by another person, who decides nothing about an interrupted call [AC-01]', async () => {
    const { execution, sessionId, request } = await askToAct(chat, 'send_mail', MAIL)
    await shareWithBob(sessionId)
    // A kill leaves this question.
    await sql`update input_requests set request = jsonb_set(request::jsonb, '{kind}', '"interrupted"')
      where session_id = ${sessionId}`.execute(chat.app.deps.db)
    for (const choice of ['retry', 'skip', 'stop']) {
      const given = { checkpoint_name: request?.checkpoint_name, input: choice, input_type: 'text' }
      const { status, body } = await asBob.call('POST', `/sessions/${sessionId}/provide-input`, given)
      expect([status, body.detail], choice).toEqual([403, 'Only the person who asked can decide this.'])
    }
    expect((await decide(chat, execution, 'skip', 'text')).status).toBe(200)
  })

  it('is not used once its person is deactivated or has disconnected it [AC-01]', async () => {
    const drafted = await askToAct(chat, 'send_mail', MAIL)
    await sql`delete from personal_accounts`.execute(chat.app.deps.db)
    expect((await approve(chat, drafted.execution)).status).toBe('error')
    await connectBob()
    await sql`update users set deactivated_at = now() where id = ${bob.id}`.execute(chat.app.deps.db)
    expect([...(await meansOfPerson(chat.app.deps.db, bob.id))]).toEqual([])
    await sql`update users set deactivated_at = null where id = ${bob.id}`.execute(chat.app.deps.db)
    expect(world.state.sent).toEqual([])
  })
})

describe('a policy of an action', () => {
  const execute = async () => (await askToAct(chat, 'send_mail', MAIL)).request !== null
  const own = (policy: string) => chat.call('PUT', '/tools/send_mail/policy', { policy })
  const company = (policy: string) =>
    asBob.call('PUT', `/admin/companies/${companyId}/action-policies/send_mail`, { policy })

  it('asks by default, and the strictest of person, assistant and company counts [AC-02]', async () => {
    expect((await chat.call('GET', '/tools/send_mail/policy')).body).toMatchObject({
      policy: 'ask',
      source: 'tool',
    })
    expect(await execute()).toBe(true)
    await own('auto')
    expect(await execute()).toBe(false)
    expect(world.state.sent).toHaveLength(1)
    expect((await company('ask')).status).toBe(200)
    expect(await execute()).toBe(true)
    await company('never')
    expect((await chat.call('GET', '/tools/send_mail/policy')).body).toMatchObject({
      policy: 'never',
      source: 'company',
    })
    expect(await execute()).toBe(false)
    await company('auto')
    const made = { name: 'Careful', agent_type: 'multi_turn', tools: ['send_mail'], system_prompt: 'Send.' }
    const assistant_id = (await chat.call('POST', '/assistants', made)).body.id
    const chatWith = () => chat.aSession({ metadata: { assistant_id } })
    await chat.call('PUT', '/tools/send_mail/policy', { policy: 'ask', assistant_id })
    expect((await askToAct(chat, 'send_mail', MAIL, await chatWith())).request).not.toBeNull()
    await own('ask')
    await chat.call('PUT', '/tools/send_mail/policy', { policy: 'auto', assistant_id })
    expect((await askToAct(chat, 'send_mail', MAIL, await chatWith())).request).not.toBeNull()
    expect(world.state.sent).toHaveLength(1)
  })

  it('that forbids an action also stops a draft that waits [AC-02]', async () => {
    await own('ask')
    const { execution } = await askToAct(chat, 'send_mail', MAIL)
    await company('never')
    expect(await approve(chat, execution)).toMatchObject({
      error: 'Your settings or your company do not allow Send mail.',
    })
    await company('auto')
    expect(world.state.sent).toEqual([])
  })
})

describe('what a mail says', () => {
  it('is data: a mail that was read makes an automatic action ask, and shows why [AC-01]', async () => {
    await chat.call('PUT', '/tools/send_mail/policy', { policy: 'auto' })
    chat.model.always(({ messages }) => {
      const results = messages.filter(({ role }) => role === 'tool').length
      if (results === 0) return [calls('read_mail', { id: 'm1' })]
      return results === 1 ? [calls('send_mail', MAIL)] : [says('Done.')]
    })
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Read my newest mail')
    await stream.ended
    const request = stream.view()?.blocks.find((block) => block.type === 'input_required')
    expect(request?.tool).toMatchObject({
      ...{ tool_id: 'send_mail', draft: 'mail' },
      outward: { hosts: ['carol@example.org'], by_rule: true, read: [{ kind: 'tool', name: 'Read mail' }] },
    })
    expect(world.state.sent).toEqual([])
    await chat.call('PUT', '/tools/send_mail/policy', { policy: 'ask' })
  })
})
