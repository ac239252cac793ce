import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { lockSession } from '../../runs/runs/store.ts'
import { lockAndFind } from './new-message-store.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

it.each([
  ['a message', lockAndFind],
  ['a change of a reply', lockSession],
])('adding a document to a chat never deadlocks with %s', async (_, lock) => {
  const id = await chat.aSession()
  const reader = await aReader(chat.app, chat.url, chat.user)
  const file = { name: 'lease.txt', content: 'The rent is 900 EUR.', fields: { chat_session_id: id } }
  const { status, body } = await chat.app.deps.db.transaction().execute(async (trx) => {
    await lock(trx, id, undefined)
    return reader.upload(file)
  })
  expect(status).toBe(201)
  const { items } = (await reader.call('GET', `/documents?session_id=${id}`)).body
  expect(items).toContainEqual(expect.objectContaining({ id: body.id }))
})
