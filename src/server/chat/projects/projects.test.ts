import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { type ModelRequest, says, waits } from '#tests/model-server.ts'
import { aDocument } from '#tests/stored-document.ts'
import type { RunInput } from '../../runs/runs/runs.ts'

let chat: Chat
let companyId: string
let mate: TestUser
beforeAll(async () => {
  chat = await startChat({ user: { role: 'super_admin' } })
  companyId = await aCompany(chat.app)
  mate = await aUser(chat.app, { role: 'member', companyId })
})
afterAll(() => chat.close())

const as = (user: TestUser, method: string, path: string, body?: unknown) =>
  chat.call(method, path, body, user.headers)
const aProject = async (settings: object = {}, name = 'Contracts') => {
  const { id } = (await chat.call('POST', '/workspaces', { name })).body
  await chat.call('PUT', `/projects/${id}`, settings)
  return id as string
}
const told = (text: string, based_on: number) => ({ instructions: { text, based_on } })
const start = async (workspace_id: string, more: object = {}) =>
  (await chat.call('POST', '/sessions', { workspace_id, ...more })).body
const textOf = ({ messages }: ModelRequest) => JSON.stringify(messages)
const member = (id: string, user: TestUser, role: string) =>
  chat.call('POST', `/projects/${id}/members`, { recipient: { who: 'person', id: user.id }, role })
const place = (...items: object[]) => chat.call('PUT', '/session-projects', { items })

/** Sends a message as a person and waits for the reply. */
const ask = async (user: TestUser, sessionId: string, content: string) => {
  const path = `${chat.url}/sessions/${sessionId}/messages`
  await (await openStream(path, { method: 'POST', headers: user.headers, body: { content } })).ended
}
/** Returns record 0 of the newest run of a chat. */
const newestInput = async (sessionId: string) => {
  const { value } = await chat.app.deps.db
    .selectFrom('runs')
    .innerJoin('run_records', 'run_records.run_id', 'runs.id')
    .select('run_records.value')
    .where('runs.session_id', '=', sessionId)
    .where('run_records.position', '=', 0)
    .where('runs.parent_run_id', 'is', null)
    .orderBy('runs.created_at', 'desc')
    .executeTakeFirstOrThrow()
  return (value as { value: RunInput }).value
}

describe('a project', () => {
  it('is a workspace with its id, and holds chats, instructions, an assistant, a model and members', async () => {
    const { body: assistant } = await chat.call('POST', '/assistants', { name: 'Analyst' })
    const [model] = (await chat.call('GET', '/available-models')).body
    const id = await aProject({ assistant_id: assistant.id, model_name: model.id, ...told('In euros.', 0) })
    await start(id)
    await member(id, mate, 'reader')
    expect((await chat.call('GET', `/projects/${id}`)).body).toMatchObject({
      ...{ id, name: 'Contracts', role: 'manager', is_owner: true, is_shared: true, member_count: 2 },
      ...{ instructions: 'In euros.', instructions_version: 1, model_name: model.id },
      ...{ assistant: { id: assistant.id, name: 'Analyst' }, chat_count: 1, private_chat_count: 1 },
    })
    expect((await chat.call('GET', `/workspaces/${id}`)).body).toMatchObject({ id, name: 'Contracts' })
  })

  it('is not the default workspace, which has no settings and no chats', async () => {
    const { body } = await chat.call('GET', '/workspaces')
    const own = body.items.find((one: { is_default: boolean }) => one.is_default).id
    expect((await chat.call('GET', `/projects/${own}`)).status).toBe(404)
    expect((await chat.call('PUT', `/projects/${own}`, { colour: 'red' })).status).toBe(404)
    expect((await chat.call('POST', '/sessions', { workspace_id: own })).status).toBe(404)
    const listed = (await chat.call('GET', '/projects')).body.items
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(own)
  })

  it('refuses instructions that are not based on the newest version', async () => {
    const id = await aProject(told('One', 0))
    expect((await chat.call('PUT', `/projects/${id}`, told('Two', 0))).status).toBe(409)
    expect((await chat.call('PUT', `/projects/${id}`, told('Two', 1))).body.instructions_version).toBe(2)
    expect((await chat.call('PUT', `/projects/${id}`, told('Two', 2))).body.instructions_version).toBe(2)
  })
})

describe('a chat started in a project', () => {
  it('uses its instructions, documents, assistant and model, and names the project [PJ-02]', async () => {
    const { body: assistant } = await chat.call('POST', '/assistants', {
      ...{ name: 'Analyst', system_prompt: 'You analyse.', agent_type: 'multi_turn' },
    })
    const id = await aProject({
      ...{ assistant_id: assistant.id, model_name: 'compatible/scripted', ...told('In euros.', 0) },
    })
    const { documentId } = await aDocument(chat.app, chat.user)
    await chat.call('POST', `/documents/workspace/${id}/documents`, { document_ids: [documentId] })
    const session = await start(id)
    expect(session).toMatchObject({
      model_name: 'compatible/scripted',
      session_metadata: { assistant_id: assistant.id, agent_type: 'multi_turn' },
      project: { id, name: 'Contracts', is_shared: false, author: null, may_write: true },
    })
    const { body: library } = await chat.call('GET', `/sessions/${session.id}/library`)
    expect(library).toMatchObject({ workspaces: { items: [{ id, document_count: 1 }] } })
    expect(library.readable + library.left_out.reading.documents + library.left_out.failed.documents).toBe(1)
    const before = chat.model.requests.length
    chat.model.reply([says('100 €')])
    await (await chat.ask(session.id, 'How much?')).ended
    const asked = chat.model.requests.slice(before)[0]!
    expect(asked.model).toBe('scripted')
    expect(textOf(asked)).toContain('You analyse.')
    expect(textOf(asked)).toContain('Instructions of the project of this chat:\\nIn euros.')
    // Others may change the name, so the model does not read it.
    expect(textOf(asked)).not.toContain('Contracts')
    expect(JSON.stringify(asked.tools)).toContain('document_search')
  })

  it('does without an assistant and a model that its author may not use', async () => {
    const { body: assistant } = await chat.call('POST', '/assistants', { name: 'Private' })
    const id = await aProject({ assistant_id: assistant.id })
    await member(id, mate, 'reader')
    const begun = await as(mate, 'POST', '/sessions', { workspace_id: id })
    expect(begun.body).toMatchObject({ session_metadata: { agent_type: 'multi_turn' }, project: { id } })
    expect(begun.body.session_metadata.assistant_id).toBeUndefined()
    expect((await as(mate, 'GET', `/projects/${id}`)).body.assistant).toEqual({
      id: assistant.id,
      name: null,
    })
  })

  it('never reuses an empty chat of another place, and is never reused elsewhere', async () => {
    const plain = (await chat.call('POST', '/sessions', { reuse_empty: true })).body
    const id = await aProject()
    const inside = await start(id, { reuse_empty: true })
    expect(inside.id).not.toBe(plain.id)
    expect((await chat.call('POST', '/sessions', { reuse_empty: true })).body.id).not.toBe(inside.id)
  })
})

describe('the instructions of a project', () => {
  it('are versioned with author and time, and a run keeps the version it started with [PJ-07]', async () => {
    const id = await aProject(told('Version one.', 0))
    await member(id, mate, 'manager')
    const session = await start(id, { model_name: 'compatible/scripted' })
    const gate = aGate()
    chat.model.reply([waits(gate.opened), says('Done')])
    const running = await chat.ask(session.id, 'Go')
    await running.until('task_stream_init')
    expect((await as(mate, 'PUT', `/projects/${id}`, told('Version two.', 1))).status).toBe(200)
    gate.open()
    await running.ended
    const input = await newestInput(session.id)
    expect(input.project).toMatchObject({ id, version: 1, instructions: 'Version one.' })
    const { body } = await chat.call('GET', `/projects/${id}/instructions`)
    expect(body.items).toEqual([
      {
        version: 2,
        text: 'Version two.',
        saved_by: mate.username,
        is_imported: false,
        created_at: expect.any(String),
      },
      {
        version: 1,
        text: 'Version one.',
        saved_by: chat.user.username,
        is_imported: false,
        created_at: expect.any(String),
      },
    ])
    const before = chat.model.requests.length
    chat.model.reply([says('Done')])
    await (await chat.ask(session.id, 'Again')).ended
    expect(textOf(chat.model.requests[before]!)).toContain('Version two.')
    const later = await newestInput(session.id)
    expect(later.project).toMatchObject({ version: 2, is_by_others: true })
    expect(later.outward?.read).toContainEqual({ kind: 'project', name: 'Contracts' })
  })

  it('are left out when the author of the chat is no longer a member', async () => {
    const id = await aProject(told('Only for members.', 0))
    const { body } = await member(id, mate, 'reader')
    const session = (await as(mate, 'POST', '/sessions', { workspace_id: id })).body
    await chat.call('DELETE', `/projects/${id}/members/${body.items[1].id}`)
    expect((await as(mate, 'GET', `/sessions/${session.id}`)).body.project).toBeNull()
    const before = chat.model.requests.length
    chat.model.reply([says('Hi')])
    await as(mate, 'PUT', `/sessions/${session.id}/model`, { model_name: 'compatible/scripted' })
    await ask(mate, session.id, 'Hi')
    expect(textOf(chat.model.requests[before]!)).not.toContain('Only for members.')
  })
})

describe('placing chats', () => {
  it('moves chats into, between and out of projects, all or none', async () => {
    const [from, to] = [await aProject(), await aProject()]
    const [a, b] = [await chat.aSession(), await chat.aSession()]
    await place({ session_id: a, workspace_id: from }, { session_id: b, workspace_id: from })
    const moved = await place({ session_id: b, workspace_id: to }, { session_id: a, workspace_id: null })
    expect(moved.body.items).toEqual([
      { session_id: b, workspace_id: to, is_shared: false },
      { session_id: a, workspace_id: null, is_shared: false },
    ])
    expect((await chat.call('GET', `/sessions?workspace_id=${to}`)).body).toMatchObject({
      total: 1,
      items: [{ id: b, project: { id: to } }],
    })
    const elsewhere = (await as(mate, 'POST', '/sessions', {})).body.id
    const refused = await place(
      { session_id: a, workspace_id: to },
      { session_id: elsewhere, workspace_id: to },
    )
    expect(refused.status).toBe(404)
    expect((await chat.call('GET', `/sessions/${a}`)).body.project).toBeNull()
    const foreign = (await as(mate, 'POST', '/workspaces', { name: 'Hers' })).body.id
    expect((await place({ session_id: a, workspace_id: foreign })).status).toBe(404)
  })

  it('leaves temporary chats out of projects', async () => {
    const { id } = (await chat.call('POST', '/sessions', {})).body
    const temporary = { origin: 'temporary' as const, lease_until: new Date(Date.now() + 600_000) }
    await chat.app.deps.db.updateTable('sessions').set(temporary).where('id', '=', id).execute()
    expect((await place({ session_id: id, workspace_id: await aProject() })).status).toBe(404)
  })

  it('makes a shared chat private when it changes its project, and shares none without a project', async () => {
    const [from, to] = [await aProject(), await aProject()]
    const a = await chat.aSession()
    expect((await place({ session_id: a, is_shared: true })).status).toBe(422)
    await place({ session_id: a, workspace_id: from, is_shared: true })
    expect((await place({ session_id: a, workspace_id: from })).body.items[0].is_shared).toBe(true)
    expect((await place({ session_id: a, workspace_id: to })).body.items[0].is_shared).toBe(false)
  })
})

describe('a chat shared with its project', () => {
  it('is private until then; members then see it live, and writers may reply [PJ-06]', async () => {
    const id = await aProject()
    const reader = await aUser(chat.app, { role: 'member', companyId })
    await member(id, mate, 'writer')
    await member(id, reader, 'reader')
    const session = await start(id, { model_name: 'compatible/scripted' })
    for (const who of [mate, reader]) {
      expect((await as(who, 'GET', `/sessions/${session.id}`)).status).toBe(403)
      expect((await as(who, 'GET', `/sessions?workspace_id=${id}`)).body.total).toBe(0)
    }
    await place({ session_id: session.id, is_shared: true })
    const live = await chat.follow(`/sessions/${session.id}/events`, reader.headers)
    await live.until('connection_established')
    chat.model.reply([says('Hello all')])
    await (await chat.ask(session.id, 'Go')).ended
    expect(JSON.parse((await live.until('agent_message')).data)).toMatchObject({ content: 'Hello all' })
    const refused = await as(reader, 'POST', `/sessions/${session.id}/messages`, { content: 'Me too' })
    expect(refused.status).toBe(403)
    chat.model.reply([says('Hello mate')])
    await ask(mate, session.id, 'Me too')
    const branch = (await chat.call('GET', `/sessions/${session.id}/active-branch`)).body
    expect(JSON.stringify(branch)).toContain('Hello mate')
    const payer = await chat.app.deps.db
      .selectFrom('runs')
      .select('user_id')
      .where('session_id', '=', session.id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(payer.user_id).toBe(mate.id)
    await place({ session_id: session.id, is_shared: false })
    await live.ended
    expect((await as(reader, 'GET', `/sessions/${session.id}`)).status).toBe(403)
  })
})

describe('projects in the sidebar', () => {
  const listed = async (user: TestUser) =>
    (await as(user, 'GET', '/projects')).body.items.map(({ name }: { name: string }) => name)

  it('are pinned, collapsed and reordered for one person, on the server [PJ-13]', async () => {
    const ida = await aUser(chat.app)
    const make = async (name: string) => (await as(ida, 'POST', '/workspaces', { name })).body.id as string
    const [a, b, c] = [await make('A'), await make('B'), await make('C')]
    expect(await listed(ida)).toEqual(['A', 'B', 'C'])
    await as(ida, 'PUT', '/project-marks/order', { workspace_id: c, before: a })
    await as(ida, 'PUT', '/project-marks/order', { workspace_id: a, before: null })
    expect(await listed(ida)).toEqual(['C', 'B', 'A'])
    await as(ida, 'PUT', '/project-marks', { items: [{ workspace_id: b, is_pinned: true }] })
    await as(ida, 'PUT', '/project-marks', { items: [{ workspace_id: b, is_collapsed: false }] })
    expect(await listed(ida)).toEqual(['B', 'C', 'A'])
    const [first] = (await as(ida, 'GET', '/projects')).body.items
    expect(first).toMatchObject({ is_pinned: true, is_collapsed: false, colour: 'blue', icon: 'folder' })
    await as(mate, 'PUT', '/project-marks', { items: [{ workspace_id: b, is_pinned: false }] })
    expect((await as(ida, 'GET', '/projects')).body.items[0]).toMatchObject({ name: 'B', is_pinned: true })
  })

  it('count chats and unread ones of the caller', async () => {
    const id = await aProject({}, 'Counted')
    await member(id, mate, 'reader')
    const session = await start(id, { model_name: 'compatible/scripted' })
    await start(id)
    await place({ session_id: session.id, is_shared: true })
    chat.model.reply([says('Hello')])
    await (await chat.ask(session.id, 'Go')).ended
    const count = async (user: TestUser) => {
      const { items } = (await as(user, 'GET', '/projects')).body
      const found = items.find((one: { id: string }) => one.id === id)
      return [found.chat_count, found.unread_count]
    }
    expect(await count(chat.user)).toEqual([2, 1])
    expect(await count(mate)).toEqual([1, 1])
    await as(mate, 'PUT', '/session-marks', { items: [{ session_id: session.id, is_unread: false }] })
    expect([await count(mate), await count(chat.user)]).toEqual([
      [1, 0],
      [2, 1],
    ])
  })
})
