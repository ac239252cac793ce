import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Checkpoint } from '#shared/chat/checkpoints/checkpoints.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { calls, says } from '#tests/model-server.ts'

let chat: Chat
let company: string
let [boss, approver]: TestUser[] = []

beforeAll(async () => {
  chat = await startChat({ user: { role: 'member' } })
  const { rows } = await sql<{ id: string }>`select company_id as id from company_members
    where user_id = ${chat.user.id}`.execute(chat.app.deps.db)
  company = rows[0]!.id
  boss = await aUser(chat.app, { role: 'company_admin', companyId: company })
  approver = await aUser(chat.app, { role: 'member', companyId: company })
})
afterAll(() => chat.close())
afterEach(async () => {
  await sql`delete from tool_approvals`.execute(chat.app.deps.db)
  await setPolicy('calculator', 'auto')
})

const setPolicy = (tool: string, policy: string) => chat.call('PUT', `/tools/${tool}/policy`, { policy })
const name = (user: TestUser | undefined = approver) =>
  chat.call(
    'PUT',
    `/admin/companies/${company}/tool-approvals/calculator`,
    { approver: { kind: 'person', id: user?.id }, deputy: null, deadline_minutes: 60 },
    boss?.headers,
  )
const decide = (execution: string) =>
  chat.call('POST', `/tool-executions/${execution}/decide`, { input: { approved: true } }, approver?.headers)
const approveOwn = (execution: string) =>
  chat.call('POST', `/tool-executions/${execution}/provide-input`, { input: true, input_type: 'boolean' })

const multiply = { a: 21, b: 2, operation: 'multiply' }
type Asked = { state: string; approver?: object; tool: { tool_execution_id: string; tool_id: string } }
type Shown = { blocks: { type: string }[] } | null | undefined
const asksOf = (view: Shown) =>
  (view?.blocks ?? []).filter(({ type }) => type === 'input_required') as unknown as Asked[]
const waitingOf = (view: Shown) => asksOf(view).filter(({ state }) => state === 'waiting')

/** Returns the state of the newest run of a chat once it rests, and the people named by the requests that wait. */
async function rested(sessionId: string) {
  const { db } = chat.app.deps
  const read = () =>
    sql<{ state: string; waiting: (string | null)[] }>`select r.state, array(
        select q.approver_user_id::text from input_requests q where q.run_id = r.id and q.state = 'waiting') as waiting
      from runs r where r.session_id = ${sessionId} order by r.created_at desc limit 1`.execute(db)
  await expect
    .poll(async () => (await read()).rows[0]?.state, { timeout: 20_000 })
    .not.toMatch(/queued|running/)
  return (await read()).rows[0]
}

describe('a run that began before its company named an approver', () => {
  it('asks about no call that has run [AC-04]', async () => {
    await setPolicy('weather', 'ask')
    chat.model.always(({ messages }) => {
      const told = messages.filter(({ role }) => role === 'tool').length
      if (told === 0) return [calls('calculator', multiply)]
      return told === 1 ? [calls('weather', { location: 'Nowhere' })] : [says('Done.')]
    })
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const [asked] = waitingOf(stream.view())
    expect(asked?.tool.tool_id).toBe('weather')
    await name()
    await approveOwn(asked!.tool.tool_execution_id)
    expect(await rested(sessionId)).toEqual({ state: 'completed', waiting: [] })
    await setPolicy('weather', 'auto')
  }, 60_000)

  it('asks the approver although its person has approved the call, also after a return [AC-04]', async () => {
    await setPolicy('calculator', 'ask')
    chat.model.always(({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? [says('Done.')] : [calls('calculator', multiply)],
    )
    const sessionId = await chat.aSession()
    const stream = await chat.ask(sessionId, 'Go')
    await stream.ended
    const execution = waitingOf(stream.view())[0]!.tool.tool_execution_id
    await name()
    await approveOwn(execution)
    expect(await rested(sessionId)).toEqual({ state: 'waiting', waiting: [approver?.id] })
    expect((await approveOwn(execution)).status).toBe(403)
    expect((await decide(execution)).status).toBe(200)
    expect(await rested(sessionId)).toEqual({ state: 'completed', waiting: [] })
    const list = (await chat.call('GET', `/sessions/${sessionId}/checkpoints?limit=100`)).body as Checkpoint[]
    const answered = list.filter(({ checkpoint_name }) => checkpoint_name.endsWith('_with_input'))
    expect(answered).toHaveLength(2)
    for (const { checkpoint_name, message_id, id } of answered) {
      const again = await openStream(`${chat.url}/sessions/${sessionId}/navigate-to-checkpoint`, {
        ...{ method: 'POST', headers: chat.user.headers },
        body: { checkpoint_name, message_id, checkpoint_hint: id },
      })
      await again.ended
      expect(waitingOf(again.view())).toMatchObject([{ approver: { by: { id: approver?.id } } }])
      await chat.call('POST', `/sessions/${sessionId}/stop`)
    }
  }, 60_000)
})
