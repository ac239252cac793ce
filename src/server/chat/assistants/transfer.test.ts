import { afterAll, beforeAll, expect, it } from 'vitest'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const desk = {
  ...{ name: 'Desk', description: 'Knows the contracts.', icon: 'scale', agent_type: 'plan_and_act' },
  ...{ model_name: 'compatible/scripted', system_prompt: 'Quote the clause.', temperature: 0.3 },
  ...{ example_prompts: ['Which contracts end?'], tools: ['calculator', 'web_search'] },
}
const upload = async (name: string) => {
  const reader = await aReader(chat.app, chat.url, chat.user)
  return (await reader.upload({ name, content: 'words' })).body.id as string
}

it('an assistant is exported as one file and imported as a draft by another user [XA-05]', async () => {
  const document = await upload('contract.txt')
  const { body } = await chat.call('POST', '/assistants', {
    ...{ ...desk, documents: [document], status: 'published' },
  })
  const file = (await chat.call('GET', `/assistants/${body.id}/export`)).body
  expect(file).toEqual({
    ...{ atrium: 'assistant', format: 1, ...desk },
    documents: [{ id: document, name: 'contract.txt' }],
    workspaces: [],
    tools: [
      { id: 'calculator', name: 'Calculator' },
      { id: 'web_search', name: 'Web search' },
    ],
  })
  const mine = await chat.call('POST', '/assistants/import', file)
  expect(mine).toMatchObject({
    status: 201,
    body: { assistant: { ...desk, documents: [document], status: 'draft', own: true, shared: false } },
  })
  expect(mine.body.left_out).toEqual({
    ...{ model: null, tools: [], documents: 0, workspaces: 0 },
  })
  const other = await aUser(chat.app)
  const wish = {
    ...{ ...file, model_name: 'elsewhere/large' },
    tools: [...file.tools, { id: 'own_cadastre', name: 'Cadastre lookup' }],
  }
  const theirs = await chat.call('POST', '/assistants/import', wish, other.headers)
  expect(theirs.body).toMatchObject({
    assistant: { name: 'Desk', model_name: null, documents: [], tools: desk.tools },
    left_out: {
      ...{ model: 'elsewhere/large', documents: 1, workspaces: 0 },
      tools: [{ id: 'own_cadastre', name: 'Cadastre lookup' }],
    },
  })
})

it('an invalid or oversized file is refused with the reason', async () => {
  const { body } = await chat.call('POST', '/assistants', desk)
  const file = (await chat.call('GET', `/assistants/${body.id}/export`)).body
  const send = (patch: object) => chat.call('POST', '/assistants/import', { ...file, ...patch })
  const wrong = [
    { atrium: 'chat' },
    { format: 2 },
    { name: '' },
    { system_prompt: 'x'.repeat(50_001) },
    { temperature: 9 },
    { tools: [{ id: 5 }] },
    { documents: Array(1_001).fill({ id: body.id, name: 'a' }) },
  ]
  for (const patch of wrong) expect((await send(patch)).status, Object.keys(patch)[0]).toBe(422)
  expect((await chat.call('POST', '/assistants/import', [])).status).toBe(422)
  // Unknown fields are dropped: a file can neither share nor publish.
  const more = await send({
    shared: true,
    status: 'published',
    user_id: 'x',
    policies: { calculator: 'auto' },
  })
  expect(more.body.assistant).toMatchObject({ shared: false, status: 'draft' })
})

it('an assistant reports the tools, documents and models its user may not use [XA-09]', async () => {
  const companyId = await aCompany(chat.app)
  const owner = await aUser(chat.app, { role: 'company_admin', companyId })
  const member = await aUser(chat.app, { role: 'member', companyId })
  const reader = await aReader(chat.app, chat.url, owner)
  const own = (await reader.upload({ name: 'own.txt', content: 'words' })).body.id
  const { body } = await chat.call(
    'POST',
    '/assistants',
    { ...desk, documents: [own], status: 'published', shared: true },
    owner.headers,
  )
  const missing = async (headers: Record<string, string>) =>
    (await chat.call('GET', `/assistants/${body.id}/missing`, undefined, headers)).body
  expect(await missing(owner.headers)).toEqual({
    ...{ model: null, tools: [], documents: 0, workspaces: 0 },
  })
  expect(await missing(member.headers)).toEqual({
    ...{ model: null, tools: [], documents: 1, workspaces: 0 },
  })
  const gone = { model_name: 'gone/model', tools: JSON.stringify(['calculator', 'own_gone']) }
  await chat.app.deps.db.updateTable('assistants').set(gone).where('id', '=', body.id).execute()
  expect(await missing(owner.headers)).toEqual({
    ...{ model: 'gone/model', documents: 0, workspaces: 0 },
    tools: [{ id: 'own_gone', name: 'own_gone' }],
  })
  expect((await chat.call('GET', `/assistants/${body.id}/missing`)).status).toBe(403)
})

it('deleting an assistant keeps its chats, which keep its name and can continue [XA-08]', async () => {
  const { body } = await chat.call('POST', '/assistants', { ...desk, agent_type: 'multi_turn' })
  const { body: session } = await chat.call('POST', '/sessions', { assistant_id: body.id })
  chat.model.reply([says('By the desk.')])
  await (await chat.ask(session.id, 'Hello')).ended
  expect((await chat.call('DELETE', `/assistants/${body.id}`)).status).toBe(200)
  type Message = { role: string; content: string; metadata: { assistant?: object } }
  const replies = async (): Promise<Message[]> => {
    const { active_branch } = (await chat.call('GET', `/sessions/${session.id}/active-branch`)).body
    return active_branch.filter(({ role }: Message) => role === 'assistant')
  }
  expect(await replies()).toMatchObject([
    { content: 'By the desk.', metadata: { assistant: { name: 'Desk' } } },
  ])
  chat.model.reply([says('Without it.')])
  await (await chat.ask(session.id, { content: 'Go on', model_name: 'compatible/scripted' })).ended
  const after = await replies()
  expect(after.map(({ content }) => content)).toEqual(['By the desk.', 'Without it.'])
  expect(after[1]?.metadata.assistant).toBeUndefined()
})
