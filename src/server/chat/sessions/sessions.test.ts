import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMessage, aSession, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { says, waits } from '#tests/model-server.ts'
import { switchOffTrash } from '#tests/no-trash.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { models: ['scripted', 'second'] } })
})
afterAll(() => chat.close())

const unknown = '00000000-0000-4000-8000-000000000000'
const get = async (id: string) => (await chat.call('GET', `/sessions/${id}`)).body

const researcher = '00000000-0000-4000-8000-000000000002'
const analyst = '00000000-0000-4000-8000-000000000003'

describe('sessions', () => {
  it('start as NEW with the title Chat plus 8 characters [SE-06, SE-15, SV-13, SV-14, G-10, G-11]', async () => {
    const { status, body } = await chat.call('POST', '/sessions/', {
      session_metadata: {
        assistant_id: researcher,
        agent_type: 'single_turn',
        session_tools: ['calculator'],
      },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...{
        title: `Chat ${body.id.slice(0, 8)}`,
        status: 'NEW',
        agent_status: null,
        processing_task_id: null,
      },
      ...{ documents: [], model_name: null, pending_input: null, preview: null },
      session_metadata: {
        assistant_id: researcher,
        agent_type: 'single_turn',
        session_tools: ['calculator'],
      },
    })
    expect(await get(body.id)).toEqual(body)
    const plain = await chat.call('POST', '/sessions', { assistant_id: analyst })
    expect(plain.body.session_metadata).toEqual({ agent_type: 'multi_turn', assistant_id: analyst })
    expect((await chat.call('POST', '/sessions')).status).toBe(201)
    const wrong = await chat.call('POST', '/sessions', { session_metadata: { agent_type: 'dreamer' } })
    expect(wrong.status).toBe(422)
  })

  it("are created once under the client's id, which other users cannot use", async () => {
    const id = crypto.randomUUID()
    const make = () => chat.call('POST', '/sessions', { id, session_metadata: { agent_type: 'single_turn' } })
    const made = await Promise.all([make(), make()])
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    expect(made[0]?.body).toMatchObject({ id, session_metadata: { agent_type: 'single_turn' } })
    await chat.call('POST', `/sessions/${id}/messages`, { content: 'Hello' })
    expect((await make()).body.preview).toBe('Hello')
    const { headers } = await aUser(chat.app)
    const asked = { method: 'POST' as const, url: '/api/v1/sessions', headers, payload: { id } }
    expect((await chat.app.http.inject(asked)).statusCode).toBe(403)
    expect((await get(id)).preview).toBe('Hello')
  })

  it('reuse an untouched session for a new chat and move it to the top', async () => {
    const user = await aUser(chat.app)
    const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
      (
        await chat.app.http.inject({
          method,
          url: `/api/v1${path}`,
          headers: user.headers,
          ...(payload && { payload }),
        })
      ).json()
    const open = async (more = {}) => (await call('POST', '/sessions', { reuse_empty: true, ...more })).id
    const first = await open()
    expect(await open()).toBe(first)
    const top = await call('POST', '/sessions')
    expect(top.id).not.toBe(first)
    await call('PUT', `/sessions/${top.id}/model`, { model_name: 'compatible/second' })
    expect(await open()).toBe(first)
    expect((await call('GET', '/sessions')).items[0].id).toBe(first)
    const withAssistant = await open({ assistant_id: analyst })
    expect(withAssistant).not.toBe(first)
    await call('PUT', `/sessions/${first}/rename`, { title: 'Mine' })
    const second = await open()
    expect([first, top.id, withAssistant]).not.toContain(second)
    await call('POST', `/sessions/${second}/messages`, { content: 'Hello' })
    expect(await open()).not.toBe(second)
    expect((await chat.call('POST', '/sessions', { reuse_empty: true })).body.id).not.toBe(first)
  })

  it("are listed newest first by skip and limit, with the user's total [SE-02, SV-12, G-70]", async () => {
    const user = await aUser(chat.app)
    const ids: string[] = []
    for (let day = 1; day <= 5; day++) {
      ids.unshift((await aSession(chat.app, user, { updatedAt: new Date(2026, 0, day) })).id)
    }
    const list = async (query: string) =>
      (await chat.app.http.inject({ url: `/api/v1/sessions/${query}`, headers: user.headers })).json()
    const page = await list('?skip=1&limit=2')
    expect(page.total).toBe(5)
    expect(page.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1, 3))
    expect((await list('')).items).toHaveLength(5)
  })

  it('accept a title of up to 50 characters by PUT and PATCH [SE-07, SV-15]', async () => {
    const id = await chat.aSession()
    const path = `/sessions/${id}/rename`
    expect((await chat.call('PUT', path, { title: ' My talk ' })).body).toMatchObject({
      id,
      title: 'My talk',
    })
    expect((await chat.call('PATCH', path, { title: 'x'.repeat(50) })).status).toBe(200)
    expect((await chat.call('PUT', path, { title: 'x'.repeat(51) })).status).toBe(422)
    expect((await chat.call('PUT', path, { title: '  ' })).status).toBe(422)
  })

  it('keep their position in the history when they are renamed', async () => {
    const [older, newer] = [await chat.aSession({ turns: 1 }), await chat.aSession({ turns: 1 })]
    await chat.call('PUT', `/sessions/${older}/rename`, { title: 'Old and renamed' })
    const { body } = await chat.call('GET', '/sessions?limit=2')
    expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([newer, older])
  })

  it('show a stopped reply until the next one', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const stream = await chat.ask(id, 'Hi')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${id}/stop`)
    gate.open()
    await stream.ended
    expect(await get(id)).toMatchObject({ status: 'COMPLETED', is_stopped: true })
    await (await chat.ask(id, 'Again')).ended
    expect(await get(id)).toMatchObject({ status: 'COMPLETED', is_stopped: false })
  })

  it('get a title from the first message until the user renames them [SE-23]', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    await (await chat.ask(id, 'How do I bake bread? I have no oven.')).ended
    expect(await get(id)).toMatchObject({ title: 'How do I bake bread?' })
    await (await chat.ask(id, 'Another question.')).ended
    expect((await get(id)).title).toBe('How do I bake bread?')
    const renamed = await chat.aSession()
    await chat.call('PUT', `/sessions/${renamed}/rename`, { title: 'Mine' })
    await (await chat.ask(renamed, 'How do I bake bread?')).ended
    expect((await get(renamed)).title).toBe('Mine')
  })

  it('have the status of the real run [SE-12, SE-13, SE-19, G-11]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const stream = await chat.ask(id, 'Hi')
    await stream.until('response_chunk')
    expect(await get(id)).toMatchObject({
      ...{ status: 'GENERATING', agent_status: 'processing', processing_task_id: stream.view()?.run_id },
    })
    gate.open()
    await stream.ended
    expect(await get(id)).toMatchObject({
      ...{ status: 'COMPLETED', agent_status: 'completed', processing_task_id: null, preview: 'one two' },
    })
  })

  it('can be deleted; other users get 403, unknown ids 404 [SV-16, SE-22, G-73]', async () => {
    await switchOffTrash(chat.app)
    const id = await chat.aSession({ turns: 2 })
    const { headers } = await aUser(chat.app)
    const remove = (session: string) =>
      chat.app.http.inject({ method: 'DELETE', url: `/api/v1/sessions/${session}`, headers })
    expect((await remove(id)).statusCode).toBe(403)
    expect((await remove(unknown)).statusCode).toBe(404)
    expect((await chat.call('DELETE', `/sessions/${id}`)).status).toBe(200)
    expect(await chat.call('GET', `/sessions/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    const left = await chat.app.deps.db
      .selectFrom('messages')
      .select('id')
      .where('session_id', '=', id)
      .execute()
    expect(left).toEqual([])
    const rename = await chat.app.http.inject({
      ...{ method: 'PUT', url: `/api/v1/sessions/${await chat.aSession()}/rename`, headers, payload: {} },
    })
    expect(rename.statusCode).toBe(403)
  })

  it('use a new model for the next reply, while the active one keeps its own [MO-05, SV-52, SV-53, G-75]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const stream = await chat.ask(id, 'Hi')
    await stream.until('response_chunk')
    const set = await chat.call('PUT', `/sessions/${id}/model`, { model_name: 'compatible/second' })
    expect(set).toEqual({ status: 200, body: { model_name: 'compatible/second' } })
    gate.open()
    await stream.ended
    expect(stream.view()?.model_name).toBe('compatible/scripted')
    const next = await chat.ask(id, 'Again')
    await next.ended
    expect(next.view()?.model_name).toBe('compatible/second')
    expect(chat.model.requests.at(-1)).toMatchObject({ model: 'second' })
    expect((await chat.call('GET', `/sessions/${id}/model`)).body).toEqual({
      model_name: 'compatible/second',
    })
    const wrong = await chat.call('PUT', `/sessions/${id}/model`, { model_name: 'compatible/none' })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'not_available' } })
    expect((await chat.call('POST', '/sessions', { model_name: 'no/such' })).status).toBe(422)
  })
})

describe('searching sessions', () => {
  it("finds titles and messages of the user's sessions and shows the matching text [SE-24, SV-98]", async () => {
    const user = await aUser(chat.app)
    const titled = await aSession(chat.app, user, { title: 'Budget 100%_done' })
    const talked = await aSession(chat.app, user, { title: 'Other' })
    const said = await aMessage(chat.app, talked.id, {
      content: `${'before '.repeat(40)}the BUDGET\nof Élodie ${'after '.repeat(40)}`,
    })
    const foreign = await aSession(chat.app, await aUser(chat.app), { title: 'Budget of a stranger' })
    const untitled = await aSession(chat.app, await aUser(chat.app), { title: 'Other' })
    for (const { id } of [foreign, untitled]) await aMessage(chat.app, id, { content: 'Our budget' })
    const search = async (q: string) => {
      const url = `/api/v1/sessions/?q=${encodeURIComponent(q)}`
      return (await chat.app.http.inject({ url, headers: user.headers })).json()
    }
    const found = await search('budget')
    expect(found.total).toBe(2)
    const ids = found.items.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining([titled.id, talked.id]))
    const hit = found.items.find(({ id }: { id: string }) => id === talked.id)
    expect(hit.match).toMatch(/^….*the \u{E000}BUDGET\u{E001} of Élodie.*…$/u)
    expect(hit.match_message_id).toBe(said.id)
    expect(found.items.find(({ id }: { id: string }) => id === titled.id)).toMatchObject({
      ...{ match: '\u{E000}Budget\u{E001} 100%_done', match_message_id: null },
    })
    expect((await search('100%_d')).total).toBe(1)
    expect((await search('100_')).total).toBe(0)
    expect((await search('élodie')).total).toBe(1)
    expect((await search('(.*')).total).toBe(0)
    expect((await search('\\')).total).toBe(0)
    expect((await search('')).total).toBe(2)
  })
})

it('a search shows the newest match of each chat, in long messages too, with a limit per page', async () => {
  const user = await aUser(chat.app)
  const chats = await Promise.all(Array.from({ length: 3 }, () => aSession(chat.app, user, {})))
  for (const { id } of chats) await aMessage(chat.app, id, { content: 'a walrus, early' })
  const long = `${'words '.repeat(2_000)}a walrus at length`
  const newest = await aMessage(chat.app, chats[0]!.id, { content: long })
  const url = (page: string) => `/api/v1/sessions/?q=walrus&${page}`
  const read = async (page: string) =>
    (await chat.app.http.inject({ url: url(page), headers: user.headers })).json()
  const all = await read('limit=10')
  expect(all.total).toBe(3)
  const hit = all.items.find(({ id }: { id: string }) => id === chats[0]!.id)
  expect(hit).toMatchObject({ match_message_id: newest.id })
  expect(hit.match).toContain('at length')
  const pages = [await read('limit=2'), await read('limit=2&skip=2')]
  expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
    [3, 2],
    [3, 1],
  ])
  const paged = pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id))
  expect(paged).toEqual(all.items.map(({ id }: { id: string }) => id))
})

describe('the agent of a session', () => {
  it('can be set by PUT and PATCH for later replies without other changes [SE-14]', async () => {
    const metadata = { assistant_id: analyst, agent_type: 'multi_turn', session_tools: ['calculator'] }
    const { body } = await chat.call('POST', '/sessions', { session_metadata: metadata })
    for (const [method, agent_type] of [
      ['PUT', 'plan_and_act'],
      ['PATCH', 'single_turn'],
    ] as const) {
      const set = await chat.call(method, `/sessions/${body.id}/agent`, { agent_type })
      expect(set).toMatchObject({ status: 200, body: { agent_type } })
      const read = await chat.call('GET', `/sessions/${body.id}`)
      expect(read.body.session_metadata).toEqual({ ...metadata, agent_type })
    }
    expect(await chat.call('PUT', `/sessions/${body.id}/agent`, { agent_type: 'psychic' })).toMatchObject({
      status: 422,
    })
    const stranger = await aUser(chat.app)
    const path = `/sessions/${body.id}/agent`
    expect(await chat.call('PUT', path, {}, stranger.headers)).toMatchObject({ status: 403 })
  })
})
