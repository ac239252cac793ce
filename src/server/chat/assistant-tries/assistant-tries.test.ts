import { afterAll, beforeAll, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { says } from '#tests/model-server.ts'
import { removeOldTries } from './store.ts'

let chat: Chat
let ahead = 0
beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) }
  chat = await startChat({ app: { clock, config: { ATRIUM_BILLING: 'on' } } })
  chat.model.always(() => [says('Aye.')])
})
afterAll(() => chat.close())

const draft = {
  ...{ name: 'Keeper', description: '', icon: null, agent_type: 'single_turn', system_prompt: 'Be brief.' },
  ...{ example_prompts: [], temperature: 0.3, documents: [], workspaces: [], tools: [] },
  model_name: 'compatible/scripted',
}
const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)
const tryOut = (user: TestUser, assistant_id: string | null, more: object = {}) =>
  call(user, 'PUT', '/assistant-tries', { assistant_id, content: { ...draft, ...more } })

/** Sends a message in a try chat and returns the model's request. */
async function ask(user: TestUser, sessionId: string, content: string) {
  const before = chat.model.requests.length
  const stream = await openStream(`${chat.url}/sessions/${sessionId}/messages`, {
    ...{ method: 'POST', headers: user.headers, body: { content } },
  })
  await stream.ended
  expect(stream.view()?.status).toBe('completed')
  return { request: chat.model.requests[before]!, view: stream.view() }
}

it('a try uses the unsaved form, leaves the assistant unchanged and stays invisible to others [XA-02]', async () => {
  const companyId = await aCompany(chat.app)
  const owner = await aUser(chat.app, { role: 'company_admin', companyId, balance: 5 })
  const colleague = await aUser(chat.app, { role: 'member', companyId, balance: 5 })
  const published = { ...draft, status: 'published', shared: true }
  const { body: assistant } = await call(owner, 'POST', '/assistants', published)
  const { body: first } = await tryOut(owner, assistant.id, { system_prompt: 'Speak like a sailor.' })
  const told = await ask(owner, first.session_id, 'Hello')
  expect(JSON.stringify(told.request.messages)).toContain('Speak like a sailor.')
  expect(told.request.temperature).toBe(0.3)
  expect(told.view?.assistant).toEqual({ id: assistant.id, name: 'Keeper' })
  // The next reply in the same chat uses the current form.
  const { body: second } = await tryOut(owner, assistant.id, {
    system_prompt: 'Speak like a judge.',
    temperature: 1,
  })
  expect(second).toEqual(first)
  const again = await ask(owner, first.session_id, 'And now?')
  expect(JSON.stringify(again.request.messages)).toContain('Speak like a judge.')
  expect(JSON.stringify(again.request.messages)).not.toContain('sailor')
  expect(again.request.temperature).toBe(1)
  // Nothing is saved, and the chat is in no list.
  expect((await call(owner, 'GET', `/assistants/${assistant.id}`)).body).toEqual(assistant)
  expect((await call(owner, 'GET', '/sessions')).body.total).toBe(0)
  expect((await call(owner, 'GET', '/sessions?q=Hello')).body.total).toBe(0)
  expect((await call(owner, 'GET', `/sessions/${first.session_id}`)).body.session_metadata.is_try).toBe(true)
  expect(await call(colleague, 'GET', `/sessions/${first.session_id}`)).toMatchObject({ status: 403 })
  expect(await tryOut(colleague, assistant.id)).toMatchObject({ status: 403 })
  // It is charged like any other reply.
  const { rows } = await ledgerOf(owner)
  expect(rows).toHaveLength(2)
  expect(rows.every(({ assistant_id }) => assistant_id === assistant.id)).toBe(true)
})

it('a try of an assistant that was never saved has its own chat', async () => {
  const person = await aUser(chat.app, { balance: 5 })
  const { body } = await tryOut(person, null)
  const { view } = await ask(person, body.session_id, 'Hello')
  expect(view?.assistant).toBeUndefined()
  const both = await Promise.all([tryOut(person, null), tryOut(person, null)])
  expect(both.map((one) => one.body.session_id)).toEqual([body.session_id, body.session_id])
  expect(await tryOut(person, null, { model_name: 'x'.repeat(500) })).toMatchObject({ status: 422 })
  expect(await tryOut(person, '11111111-1111-4111-8111-111111111111')).toMatchObject({ status: 404 })
})

it('a try starts over after it ends and is deleted after a week', async () => {
  const person = await aUser(chat.app, { balance: 5 })
  const { body: first } = await tryOut(person, null)
  await ask(person, first.session_id, 'Hello')
  expect(await call(person, 'DELETE', '/assistant-tries')).toMatchObject({ status: 200 })
  expect(await call(person, 'GET', `/sessions/${first.session_id}`)).toMatchObject({ status: 404 })
  expect(await call(person, 'DELETE', '/assistant-tries')).toMatchObject({ status: 200 })
  const { body: second } = await tryOut(person, null)
  expect(second.session_id).not.toBe(first.session_id)
  ahead = 6 * 86_400_000
  await removeOldTries(chat.app.deps)
  const path = `/sessions/${second.session_id}`
  const isThere = async () =>
    chat.app.deps.db.selectFrom('sessions').select('id').where('id', '=', second.session_id).execute()
  expect(await isThere(), path).toHaveLength(1)
  ahead = 8 * 86_400_000
  await removeOldTries(chat.app.deps)
  expect(await isThere(), path).toHaveLength(0)
  ahead = 0
})

const ledgerOf = async (user: TestUser) => ({
  rows: await chat.app.deps.db
    .selectFrom('ledger_entries')
    .select(['assistant_id', 'amount'])
    .where('user_id', '=', user.id)
    .where('model_name', 'is not', null)
    .orderBy('created_at')
    .execute(),
})
