import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ApiServer, startApiServer } from '#tests/api-server.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { calls, says } from '#tests/model-server.ts'
import { supplierTool } from '#tests/supplier-tool.ts'
import { endRun } from '../../runs/runs/context/live-run.ts'
import { resumeRun } from '../../runs/runs/hold.ts'

let api: ApiServer
let chat: Chat
let company: string
let [boss, approver]: TestUser[] = []
let tool: string

beforeAll(async () => {
  api = await startApiServer()
  chat = await startChat({ app: { config: { ATRIUM_TOOLS_PRIVATE: api.url } }, user: { role: 'member' } })
  const { rows } = await sql<{ id: string }>`select company_id as id from company_members
    where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
  company = rows[0]!.id
  boss = await aUser(chat.app, { role: 'company_admin', companyId: company })
  approver = await aUser(chat.app, { role: 'member', companyId: company })
  tool = (await create(payment({ companies: [company] }), boss)).body.id
  const path = `/admin/companies/${company}/tool-approvals/${tool}`
  const named = { approver: { kind: 'person', id: approver.id }, deputy: null, deadline_minutes: 60 }
  expect((await chat.call('PUT', path, named, boss.headers)).status).toBe(200)
})
afterAll(async () => {
  await chat.close()
  await api.close()
})
beforeEach(() => {
  api.asked.length = 0
  api.answer({ body: { score: 1 } })
})

const supplier = () => supplierTool(api).call
const payment = (more: object = {}, call: object = {}) =>
  supplierTool(api, { ...more, policy: 'auto', call: { ...supplier(), method: 'POST', ...call } })
const create = (wish: object, user: TestUser = chat.user) => chat.call('POST', '/tools/', wish, user.headers)

async function callInChat(id: string) {
  chat.model.always(({ messages }) =>
    messages.some(({ role }) => role === 'tool') ? [says('Done.')] : [calls(id, { siren: '1' })],
  )
  const sessionId = await chat.aSession({ metadata: { session_tools: [id] } })
  const stream = await chat.ask(sessionId, 'Go')
  await stream.ended
  const asked = stream.view()?.blocks.find(({ type }) => type === 'input_required')
  return { sessionId, asked: asked?.type === 'input_required' ? asked : null }
}
const decide = (execution: string | undefined, input: unknown) =>
  chat.call('POST', `/tool-executions/${execution}/decide`, { input }, approver?.headers)

describe('a copy of a tool whose company names an approver', () => {
  it.each([
    ['the same call', {}],
    ['another name of its input', { address: `{url}/v2/suppliers/{number}/score?fast=1`, name: 'number' }],
    ['a path that is an input', { address: `{url}/v2/{what}/1/SCORE`, name: 'what' }],
  ])(
    'asks the approver too: %s [AC-04]',
    async (_, { address, name }: { address?: string; name?: string }) => {
      const [input] = supplier().inputs
      const call = address ? { address: address.replace('{url}', api.url), inputs: [{ ...input, name }] } : {}
      const made = await create(payment({}, call))
      expect(made.status).toBe(201)
      if (address) await chat.call('PUT', `/tools/${made.body.id}/policy`, { policy: 'auto' })
      chat.model.always(({ messages }) =>
        messages.some(({ role }) => role === 'tool')
          ? [says('Done.')]
          : [calls(made.body.id, { [name ?? 'siren']: '1' })],
      )
      const sessionId = await chat.aSession({ metadata: { session_tools: [made.body.id] } })
      const stream = await chat.ask(sessionId, 'Go')
      await stream.ended
      const asked = stream.view()?.blocks.find(({ type }) => type === 'input_required')
      expect(asked).toMatchObject({ approver: { by: { id: approver?.id } } })
      expect(api.asked).toEqual([])
    },
  )

  it('needs no approval for another call of the same service [AC-04]', async () => {
    const { body } = await create(payment({}, { method: 'GET' }))
    expect((await callInChat(body.id)).asked).toBeNull()
    expect(api.asked).toHaveLength(1)
  })
})

it('a call that a named person approves cannot be tried out, but shown [AC-04]', async () => {
  const attempt = (wish: object, user?: TestUser) =>
    chat.call('POST', '/tools/try', { inputs: { siren: '1' }, ...wish }, (user ?? chat.user).headers)
  const refused = [await attempt({ tool_id: tool }, boss), await attempt({ call: payment().call })]
  for (const { status, body } of refused)
    expect([status, body.detail]).toEqual([
      403,
      'A company names who approves this call. Use the tool in a chat, which asks them.',
    ])
  expect((await attempt({ call: payment().call, dry_run: true })).status).toBe(200)
  expect(api.asked).toEqual([])
})

describe('an approved call whose outcome is unknown after a kill', () => {
  async function interrupted() {
    const { engine } = chat.app.deps
    api.answer(() => {
      if (api.asked.length === 1) endRun([...engine.live.values()][0]!, 'lost')
      return { body: { score: 1 } }
    })
    const { asked, sessionId } = await callInChat(tool)
    const execution = asked?.tool?.tool_execution_id
    expect((await decide(execution, { approved: true })).status).toBe(200)
    const { db } = chat.app.deps
    const read = () =>
      sql<{ id: string; state: string; kind: string | null; approver: string | null }>`
        select r.id, r.state, q.request ->> 'kind' as kind, q.approver_user_id as approver
        from runs r left join input_requests q on q.run_id = r.id and q.state = 'waiting'
        where r.session_id = ${sessionId}`.execute(db)
    await expect.poll(() => api.asked.length, { timeout: 20_000 }).toBe(1)
    await expect
      .poll(
        async () => {
          const [run] = (await read()).rows
          if (run?.state === 'running') await resumeRun(engine, run.id, ['running'])
          return run
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ state: 'waiting', kind: 'interrupted', approver: approver?.id })
    const state = async () => (await read()).rows[0]?.state
    return { execution, sessionId, state }
  }

  it('is repeated only by its approver [AC-04]', async () => {
    const { execution, sessionId, state } = await interrupted()
    const { body } = await chat.call('GET', `/sessions/${sessionId}`)
    const retry = { checkpoint_name: body.pending_input.checkpoint_name, input: 'retry', input_type: 'text' }
    expect((await chat.call('POST', `/sessions/${sessionId}/provide-input`, retry)).status).toBe(403)
    expect(api.asked).toHaveLength(1)
    expect((await decide(execution, 'stop')).status).toBe(422)
    expect((await decide(execution, 'retry')).status).toBe(200)
    await expect.poll(state, { timeout: 20_000 }).toBe('completed')
    expect(api.asked).toHaveLength(2)
    const audit = (await chat.call('GET', '/admin/audit', undefined, boss?.headers)).body.items
    expect(audit[0]).toMatchObject({ did: 'approval.given' })
  }, 60_000)

  it('is left when its approver skips it [AC-04]', async () => {
    const { execution, state } = await interrupted()
    expect((await decide(execution, 'skip')).status).toBe(200)
    await expect.poll(state, { timeout: 20_000 }).toBe('completed')
    expect(api.asked).toHaveLength(1)
    const audit = (await chat.call('GET', '/admin/audit', undefined, boss?.headers)).body.items
    expect(audit[0]).toMatchObject({ did: 'approval.refused' })
  }, 60_000)
})
