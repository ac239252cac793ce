import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, type ModelRequest, says, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

/** Cost of one scripted call: 100 input and 20 output tokens. */
const COST = 2

let chat: Chat
let colleague: TestUser
beforeAll(async () => {
  const app = { config: { ATRIUM_LIMIT_REPLIES_PER_USER: '100' } }
  chat = await startChat({ app })
  const { db } = chat.app.deps
  const companyId = await aCompany(chat.app)
  await db.updateTable('companies').set({ members_share: true }).where('id', '=', companyId).execute()
  const member = { company_id: companyId, user_id: chat.user.id, role: 'member' as const }
  await db.insertInto('company_members').values(member).execute()
  colleague = await aUser(chat.app, { role: 'member', companyId })
  const prices = { offered: true, context_tokens: null, input_price: 10_000, output_price: 50_000 }
  await db
    .insertInto('model_overrides')
    .values({ model_id: 'compatible/scripted', ...prices })
    .execute()
})
afterAll(() => chat.close())
afterEach(() => chat.app.deps.db.deleteFrom('budgets').execute())

const aProject = async () => (await chat.call('POST', '/workspaces', { name: 'Contracts' })).body.id as string

async function addColleague(project: string, role: 'reader' | 'writer' | 'manager'): Promise<void> {
  const recipient = { who: 'person', id: colleague.id }
  expect((await chat.call('POST', `/projects/${project}/members`, { recipient, role })).status).toBe(200)
}

const setBudget = async (project: string, amount: number | null, period = 'month') => {
  const answer = await chat.call('PUT', `/projects/${project}/budget`, { period, amount })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const spendingOf = async (project: string) => (await chat.call('GET', `/projects/${project}/spending`)).body

/** Creates a chat of a person in a project. */
async function aChatIn(project: string | null, { id, headers }: TestUser = chat.user): Promise<string> {
  const body = { ...(project && { workspace_id: project }), model_name: 'compatible/scripted' }
  const answer = await chat.call('POST', '/sessions', body, { ...headers })
  expect(answer.status, `${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body.id
}

/** Two calls: a tool call and the answer. */
const twoCalls = () =>
  chat.model.always(({ messages }: ModelRequest) =>
    messages.at(-1)?.role === 'tool'
      ? [says('42')]
      : [calls('calculator', { a: 6, b: 7, operation: 'multiply' })],
  )

/** Runs a reply and returns the id of its run when it pauses or ends. */
async function aReply(sessionId: string, { headers }: TestUser = chat.user): Promise<string> {
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
    ...{ method: 'POST', headers, body: { content: 'How much?' } },
  })
  await stream.ended
  return stream.view()?.run_id ?? ''
}
const stateOf = async (runId: string) => (await readRun(chat.app, runId)).run.state
const isCompleted = (runId: string) =>
  expect.poll(() => stateOf(runId), { timeout: 10_000 }).toBe('completed')

describe('the budget of a project', () => {
  it.each(['day', 'month'] as const)(
    'pauses a reply at a checkpoint when it is used up in a %s, and resumes it when it is raised [PJ-08]',
    async (period) => {
      twoCalls()
      const project = await aProject()
      await setBudget(project, COST / 2, period)
      const runId = await aReply(await aChatIn(project))
      const { run, records } = await readRun(chat.app, runId)
      expect(run).toMatchObject({ state: 'paused', paused_for: 'budget' })
      const pause = JSON.stringify(records.findLast(({ kind }) => kind === 'pause')?.value)
      expect(pause).toContain(`"budget":{"kind":"project","period":"${period}"}`)
      expect(await spendingOf(project)).toMatchObject({
        spent_this_month: COST,
        budgets: [{ period, amount: COST / 2, spent: COST }],
      })
      const next = await chat.call('POST', `/sessions/${await aChatIn(project)}/messages`, { content: 'Hi' })
      expect([next.status, next.body.code]).toEqual([402, 'budget_used_up'])
      await setBudget(project, 100, period)
      await isCompleted(runId)
    },
  )

  it('resumes a paused reply when it is removed', async () => {
    twoCalls()
    const project = await aProject()
    await setBudget(project, COST / 2)
    const runId = await aReply(await aChatIn(project))
    expect(await stateOf(runId)).toBe('paused')
    expect(await setBudget(project, null)).toMatchObject({ budgets: [] })
    await isCompleted(runId)
  })

  it('counts earlier spending of the period when it is set', async () => {
    twoCalls()
    const project = await aProject()
    await isCompleted(await aReply(await aChatIn(project)))
    expect(await setBudget(project, 100)).toMatchObject({ budgets: [{ spent: 2 * COST }] })
  })

  it('does not stop chats outside of the project', async () => {
    twoCalls()
    await setBudget(await aProject(), 0)
    const [other, none] = [await aReply(await aChatIn(await aProject())), await aReply(await aChatIn(null))]
    await isCompleted(other)
    await isCompleted(none)
  })

  it('books a run on the project of its chat at the start, when the chat is moved meanwhile', async () => {
    const [from, to] = [await aProject(), await aProject()]
    const sessionId = await aChatIn(from)
    const gate = aGate()
    chat.model.always(() => [waits(gate.opened), says('Done')])
    const asked = chat.model.requests.length
    const reply = aReply(sessionId)
    await expect.poll(() => chat.model.requests.length, { timeout: 10_000 }).toBeGreaterThan(asked)
    const items = [{ session_id: sessionId, workspace_id: to }]
    expect((await chat.call('PUT', '/session-projects', { items })).status).toBe(200)
    gate.open()
    await isCompleted(await reply)
    expect(await spendingOf(from)).toMatchObject({ spent_this_month: COST })
    expect(await spendingOf(to)).toMatchObject({ spent_this_month: 0 })
  })

  it('lets at most one of several concurrent calls of members overdraw it', async () => {
    const project = await aProject()
    await addColleague(project, 'reader')
    await setBudget(project, COST / 2)
    chat.model.always(() => [says('Done')])
    const people = [chat.user, chat.user, colleague, colleague]
    const sessions = await Promise.all(people.map((person) => aChatIn(project, person)))
    const runs = await Promise.all(sessions.map((id, index) => aReply(id, people[index])))
    expect(runs.filter(Boolean).length).toBeGreaterThan(0)
    expect((await spendingOf(project)).budgets[0].spent).toBe(COST)
  })

  it('warns the managers at 80 and 100 percent, and no one else', async () => {
    const name = 'Leases of 2026'
    const project = (await chat.call('POST', '/workspaces', { name })).body.id
    await addColleague(project, 'manager')
    const reader = await aUser(chat.app)
    const { db } = chat.app.deps
    await db
      .insertInto('workspace_members')
      .values({ workspace_id: project, person_id: reader.id, role: 'reader' })
      .execute()
    await setBudget(project, 10)
    for (const spent of [8, 10])
      await db.updateTable('budgets').set({ spent }).where('workspace_id', '=', project).execute()
    for (const { headers } of [chat.user, colleague]) {
      const { body } = await chat.call('GET', '/notifications', undefined, headers)
      const warnings = body.items.filter((item: { name: string }) => item.name === name)
      expect(warnings).toMatchObject([
        { kind: 'budget_spent', path: `/project/${project}`, budget: { kind: 'project' } },
        { kind: 'budget_warning', budget: { spent: 8, amount: 10 } },
      ])
    }
    expect((await chat.call('GET', '/notifications', undefined, reader.headers)).body.items).toEqual([])
  })

  it('is set by managers only, and is not listed among the budgets of super admins', async () => {
    const project = await aProject()
    await addColleague(project, 'writer')
    const wish = { period: 'month', amount: 1 }
    const path = `/projects/${project}`
    expect((await chat.call('PUT', `${path}/budget`, wish, colleague.headers)).status).toBe(403)
    expect((await chat.call('GET', `${path}/spending`, undefined, colleague.headers)).status).toBe(200)
    await setBudget(project, 5)
    const admin = await aUser(chat.app, { role: 'super_admin' })
    expect((await chat.call('PUT', `${path}/budget`, wish, admin.headers)).status).toBe(403)
    const listed = await chat.call('GET', '/admin/budgets', undefined, admin.headers)
    expect(listed.body).toMatchObject({ items: [], total: 0 })
  })
})
