import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCompany, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { models: ['scripted', 'other'] } })
})
afterAll(() => chat.close())

const researcher = '00000000-0000-4000-8000-000000000002'
const unknown = '11111111-1111-4111-8111-111111111111'
const full = {
  ...{ name: 'Pirate', description: 'Talks like one', icon: 'anchor', agent_type: 'single_turn' },
  ...{ model_name: 'compatible/other', system_prompt: 'Talk like a pirate.', example_prompts: ['Ahoy?'] },
  ...{ temperature: 0.4, documents: [], tools: ['calculator'], status: 'published' },
}

describe('assistants', () => {
  it("lists own assistants first, then built-in ones in the user's language [SV-54, G-45]", async () => {
    const { body } = await chat.call('POST', '/assistants/', full)
    const list = await chat.call('GET', '/assistants/')
    const {
      system_prompt: _,
      example_prompts: _1,
      documents: _2,
      workspaces: _4,
      tools: _3,
      tool_versions: _5,
      shares: _6,
      version: _7,
      can_hand_over: _8,
      ...listed
    } = body
    expect(list.body[0]).toEqual(listed)
    const builtIn = list.body.filter((one: { built_in: boolean }) => one.built_in)
    expect(builtIn.map(({ name }: { name: string }) => name)).toEqual([
      'General assistant',
      'Researcher',
      'Analyst',
    ])
    const { db } = chat.app.deps
    await db.updateTable('users').set({ language: 'fr' }).where('id', '=', chat.user.id).execute()
    const french = await chat.call('GET', `/assistants/${researcher}`)
    await db.updateTable('users').set({ language: 'en' }).where('id', '=', chat.user.id).execute()
    expect(french.body).toMatchObject({ name: 'Chercheur', built_in: true, can_edit: false })
  })

  it('creates, reads, updates with either verb, and deletes [SV-55, SV-56, SV-57, SV-58, G-22]', async () => {
    const created = await chat.call('POST', '/assistants', full)
    expect(created).toMatchObject({
      status: 201,
      body: { ...full, shared: false, own: true, can_edit: true },
    })
    const path = `/assistants/${created.body.id}`
    expect((await chat.call('GET', path)).body).toEqual(created.body)
    const put = await chat.call('PUT', path, { name: 'Captain', tools: null })
    expect(put.body).toMatchObject({ ...full, name: 'Captain', tools: null })
    const patch = await chat.call('PATCH', path, { temperature: null, status: 'draft' })
    expect(patch.body).toMatchObject({ name: 'Captain', temperature: null, status: 'draft' })
    expect((await chat.call('DELETE', path)).status).toBe(200)
    expect((await chat.call('GET', path)).status).toBe(404)
  })

  it('requires only a name for a draft and names invalid fields', async () => {
    const draft = await chat.call('POST', '/assistants', { name: ' Draft ' })
    expect(draft.body).toMatchObject({
      name: 'Draft',
      status: 'draft',
      agent_type: 'multi_turn',
      tools: null,
    })
    expect(await chat.call('POST', '/assistants', {})).toMatchObject({ status: 422 })
    expect(await chat.call('POST', '/assistants', { ...full, temperature: 3 })).toMatchObject({ status: 422 })
    expect(await chat.call('POST', '/assistants', { ...full, model_name: 'no/model' })).toMatchObject({
      status: 422,
      body: { code: 'not_available' },
    })
  })

  it('lets colleagues use a shared assistant and company administrators change it', async () => {
    const companyId = await aCompany(chat.app)
    const [owner, colleague, admin, stranger] = await Promise.all([
      aUser(chat.app, { role: 'company_admin', companyId }),
      aUser(chat.app, { role: 'member', companyId }),
      aUser(chat.app, { role: 'company_admin', companyId }),
      aUser(chat.app, { role: 'member' }),
    ])
    const { body } = await chat.call('POST', '/assistants', full, owner.headers)
    const path = `/assistants/${body.id}`
    const seen = async ({ headers }: { headers: Record<string, string> }) =>
      (await chat.call('GET', path, undefined, headers)).status
    expect(await Promise.all([owner, colleague, stranger].map(seen))).toEqual([200, 403, 403])
    await chat.call('PUT', path, { shared: true }, owner.headers)
    expect(await Promise.all([owner, colleague, admin, stranger].map(seen))).toEqual([200, 200, 200, 403])
    const change = async ({ headers }: { headers: Record<string, string> }) =>
      (await chat.call('PUT', path, { description: 'x' }, headers)).status
    expect(await Promise.all([colleague, admin, stranger].map(change))).toEqual([403, 200, 403])
    await chat.call('PUT', path, { status: 'draft' }, owner.headers)
    expect(await seen(colleague)).toBe(403)
    expect(await chat.call('DELETE', path, undefined, stranger.headers)).toMatchObject({ status: 403 })
    expect(await chat.call('PUT', `/assistants/${researcher}`, { name: 'Mine' })).toMatchObject({
      status: 403,
    })
    expect(await chat.call('DELETE', `/assistants/${researcher}`)).toMatchObject({ status: 403 })
    expect(await chat.call('GET', `/assistants/${unknown}`)).toMatchObject({ status: 404 })
  })

  it('applies agent, model, instructions, temperature and tools to its sessions [SE-15]', async () => {
    const { body: assistant } = await chat.call('POST', '/assistants', { ...full, agent_type: 'multi_turn' })
    const { body: session } = await chat.call('POST', '/sessions', {
      session_metadata: { assistant_id: assistant.id },
    })
    expect(session.session_metadata).toEqual({ agent_type: 'multi_turn', assistant_id: assistant.id })
    chat.model.reply([says('Arr.')])
    await (await chat.ask(session.id, 'Hello')).ended
    const request = chat.model.requests.at(-1)!
    expect(request).toMatchObject({ model: 'other', temperature: 0.4 })
    expect(JSON.stringify(request.messages[0])).toContain('Talk like a pirate.')
    expect(JSON.stringify(request.tools)).toContain('"calculator"')
    expect(JSON.stringify(request.tools)).not.toContain('"weather"')
    // Session settings override the assistant's.
    await chat.call('PUT', `/sessions/${session.id}/model`, { model_name: 'compatible/scripted' })
    await (await chat.ask(session.id, 'Hello')).ended
    expect(chat.model.requests.at(-1)).toMatchObject({ model: 'scripted' })
    await chat.call('DELETE', `/assistants/${assistant.id}`)
    const after = await chat.ask(session.id, 'Hello')
    await after.ended
    expect(after.view()?.status).toBe('completed')
    expect(chat.model.requests.at(-1)?.temperature).toBeUndefined()
  })

  it('uses a newly chosen assistant for later replies, and each reply names its author [SE-15]', async () => {
    const { body: pirate } = await chat.call('POST', '/assistants', full)
    const sessionId = await chat.aSession({ modelName: null })
    const choose = (assistant_id: string | null, method = 'PUT') =>
      chat.call(method, `/sessions/${sessionId}/assistant`, { assistant_id })
    const answerOf = async (text: string) => {
      chat.model.reply([says(text)])
      const stream = await chat.ask(sessionId, 'Hello')
      await stream.ended
      return stream.view()
    }
    const chosen = { assistant_id: pirate.id, agent_type: 'single_turn' }
    expect(await choose(pirate.id)).toMatchObject({ status: 200, body: chosen })
    expect((await chat.call('GET', `/sessions/${sessionId}`)).body.session_metadata).toEqual(chosen)
    const written = { id: pirate.id, name: 'Pirate' }
    expect(await answerOf('Arr.')).toMatchObject({ agent_type: 'single_turn', assistant: written })
    expect(JSON.stringify(chat.model.requests.at(-1)?.messages[0])).toContain('Talk like a pirate.')
    // The author stays after a rename or deletion.
    await chat.call('PUT', `/assistants/${pirate.id}`, { name: 'Captain' })
    const none = { assistant_id: null, agent_type: 'multi_turn' }
    expect(await choose(null, 'PATCH')).toMatchObject({ status: 200, body: none })
    await chat.call('PUT', `/sessions/${sessionId}/model`, { model_name: 'compatible/scripted' })
    expect(await answerOf('Hello.')).not.toHaveProperty('assistant')
    const { body } = await chat.call('GET', `/sessions/${sessionId}/active-branch`)
    const replies = body.active_branch.filter(({ role }: { role: string }) => role === 'assistant')
    const writers = replies.map(({ metadata }: { metadata: { assistant?: object } }) => metadata.assistant)
    expect(writers).toEqual([written, undefined])
  })

  it('lets users choose an assistant only for their own chats and only one they may use', async () => {
    const stranger = await aUser(chat.app)
    const { body: theirs } = await chat.call('POST', '/assistants', full, stranger.headers)
    const path = `/sessions/${await chat.aSession()}/assistant`
    expect(await chat.call('PUT', path, { assistant_id: theirs.id })).toMatchObject({ status: 403 })
    expect(await chat.call('PUT', path, { assistant_id: unknown })).toMatchObject({ status: 404 })
    expect(await chat.call('PUT', path, { assistant_id: 'pirate' })).toMatchObject({ status: 404 })
    expect(await chat.call('PUT', path, {})).toMatchObject({ status: 422 })
    expect(await chat.call('PUT', path, {}, stranger.headers)).toMatchObject({ status: 403 })
    expect(await chat.call('PUT', `/sessions/${unknown}/assistant`, {})).toMatchObject({ status: 404 })
  })

  it('refuses a session with an unknown assistant or one of another user [SE-15]', async () => {
    const stranger = await aUser(chat.app)
    const { body } = await chat.call('POST', '/assistants', full, stranger.headers)
    expect(await chat.call('POST', '/sessions', { assistant_id: body.id })).toMatchObject({ status: 403 })
    expect(await chat.call('POST', '/sessions', { assistant_id: unknown })).toMatchObject({ status: 404 })
    expect(await chat.call('POST', '/sessions', { assistant_id: 'pirate' })).toMatchObject({ status: 404 })
  })

  it('lets only its editors decide a tool policy [SV-96]', async () => {
    const stranger = await aUser(chat.app)
    const { body } = await chat.call('POST', '/assistants', full)
    const decision = { policy: 'ask', assistant_id: body.id }
    const path = '/tools/calculator/policy'
    expect(await chat.call('PUT', path, decision, stranger.headers)).toMatchObject({ status: 403 })
    expect((await chat.call('PUT', path, decision)).body).toMatchObject({
      policy: 'ask',
      source: 'assistant',
    })
  })
})
