import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

it('a session returns id, title, states, times, model, documents and its initial settings [SE-01]', async () => {
  const assistant = (await chat.call('POST', '/assistants', { name: 'Desk' })).body
  const session_metadata = {
    ...{ assistant_id: assistant.id, agent_type: 'single_turn', session_tools: ['calculator'] },
  }
  const made = await chat.call('POST', '/sessions', { session_metadata, model_name: 'compatible/scripted' })
  const { id } = made.body
  const { upload } = await aReader(chat.app, chat.url, chat.user)
  const document = (await upload({ name: 'note.txt', content: 'x', fields: { chat_session_id: id } })).body
  chat.model.reply([says('Well.')])
  const stream = await chat.ask(id, 'Hi')
  const running = (await chat.call('GET', `/sessions/${id}`)).body
  await stream.ended
  const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  expect((await chat.call('GET', `/sessions/${id}`)).body).toMatchObject({
    ...{ id: uuid, status: 'COMPLETED', agent_status: 'completed', processing_task_id: null },
    ...{ title: expect.stringMatching(/./), model_name: 'compatible/scripted' },
    ...{ created_at: time, updated_at: time, session_metadata },
    documents: [{ id: document.id, name: 'note.txt', created_at: time, updated_at: time }],
  })
  expect(['GENERATING', 'COMPLETED']).toContain(running.status)
  expect(running.status === 'GENERATING' ? running.processing_task_id : uuid).toEqual(uuid)
})
