import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aSession, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aDocument } from '#tests/stored-document.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const aPrompt = async (more: object) =>
  (
    await chat.call('POST', '/prompts', {
      name: 'A',
      command: `a-${crypto.randomUUID()}`,
      text: 'A',
      ...more,
    })
  ).body.id
const anEmptyChat = async () => (await chat.call('POST', '/sessions', {})).body.id

describe('a prompt that starts a chat', () => {
  it('sets its assistant, model, tools and documents [PL-03]', async () => {
    const { body: assistant } = await chat.call('POST', '/assistants', {
      name: 'Ada',
      agent_type: 'plan_and_act',
    })
    const [model] = (await chat.call('GET', '/available-models')).body
    const { documentId } = await aDocument(chat.app, chat.user)
    const settings = {
      assistant_id: assistant.id,
      model_name: model.id,
      tools: ['calculator'],
      documents: [documentId],
    }
    const [prompt_id, sessionId] = [await aPrompt(settings), await anEmptyChat()]
    const applied = await chat.call('PUT', `/sessions/${sessionId}/prompt`, { prompt_id })
    expect(applied.body).toEqual({ left_out: { assistant: false, model: null, tools: 0, documents: 0 } })
    expect((await chat.call('GET', `/sessions/${sessionId}`)).body).toMatchObject({
      model_name: model.id,
      documents: [{ id: documentId }],
      session_metadata: {
        assistant_id: assistant.id,
        agent_type: 'plan_and_act',
        session_tools: ['calculator'],
      },
    })
  })

  it('leaves settings alone that it does not name', async () => {
    const [prompt_id, sessionId] = [await aPrompt({}), await anEmptyChat()]
    await chat.call('PUT', `/sessions/${sessionId}/agent`, { agent_type: 'plan_and_act' })
    const before = (await chat.call('GET', `/sessions/${sessionId}`)).body
    await chat.call('PUT', `/sessions/${sessionId}/prompt`, { prompt_id })
    const { updated_at: _, ...after } = (await chat.call('GET', `/sessions/${sessionId}`)).body
    expect(before).toMatchObject(after)
  })

  it('names what its reader may not use and starts without it', async () => {
    const other = await aUser(chat.app)
    const { documentId } = await aDocument(chat.app, other)
    const { body: assistant } = await chat.call('POST', '/assistants', { name: 'Bea' }, other.headers)
    const settings = { assistant_id: assistant.id, model_name: 'gone', tools: ['gone', 'calculator'] }
    const [prompt_id, sessionId] = [
      await aPrompt({ ...settings, documents: [documentId] }),
      await anEmptyChat(),
    ]
    const applied = await chat.call('PUT', `/sessions/${sessionId}/prompt`, { prompt_id })
    expect(applied.body.left_out).toEqual({ assistant: true, model: 'gone', tools: 1, documents: 1 })
    const session = (await chat.call('GET', `/sessions/${sessionId}`)).body
    expect(session).toMatchObject({ model_name: null, documents: [] })
    expect(session.session_metadata.assistant_id ?? null).toBeNull()
    expect(session.session_metadata.session_tools).toEqual(['calculator'])
  })

  it('never changes a chat that has messages', async () => {
    const { id } = await aSession(chat.app, chat.user, { turns: 1 })
    const prompt_id = await aPrompt({ tools: ['calculator'] })
    const refused = await chat.call('PUT', `/sessions/${id}/prompt`, { prompt_id })
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await chat.call('GET', `/sessions/${id}`)).body.session_metadata.session_tools).toBeUndefined()
  })
})
