import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf } from '#shared/chat/messages/message-files.ts'
import type { Message } from '#shared/runs/runs/message.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

/** Creates a chat with documents. */
async function aChatWith(...names: string[]) {
  const id = await chat.aSession()
  const reader = await aReader(chat.app, chat.url, chat.user)
  const ids: string[] = []
  for (const name of names) {
    const { body } = await reader.upload({ name, content: name, fields: { chat_session_id: id } })
    ids.push(body.id)
  }
  return { id, ids }
}

const send = (id: string, body: object) =>
  chat.call('POST', `/sessions/${id}/messages`, { content: 'Read them', ...body })

describe('files of a message', () => {
  it('are stored with it in their order, each once', async () => {
    const { id, ids } = await aChatWith('a.txt', 'b.txt')
    const { status, body } = await send(id, { document_ids: [ids[1], ids[0], ids[1]] })
    expect(status).toBe(201)
    expect(filesOf((body as Message).metadata)).toEqual([
      { document_id: ids[1], name: 'b.txt' },
      { document_id: ids[0], name: 'a.txt' },
    ])
  })

  it('must be in the chat', async () => {
    const { ids } = await aChatWith('theirs.txt')
    const { id } = await aChatWith('a.txt')
    expect(await send(id, { document_ids: ids })).toMatchObject({ status: 422, body: { code: 'invalid' } })
    expect((await chat.call('GET', `/sessions/${id}/active-branch`)).body.total).toBe(0)
  })

  it('stay with an edited message, even after they left the chat', async () => {
    const { id, ids } = await aChatWith('a.txt')
    const { body } = await send(id, { document_ids: ids })
    await chat.call('DELETE', `/sessions/${id}/documents/${ids[0]}`)
    const edit = `${chat.url}/sessions/${id}/messages/${body.id}/edit-and-regenerate`
    const { headers } = chat.user
    await (await openStream(edit, { method: 'POST', headers, body: { content: 'Read it again' } })).ended
    const { active_branch } = (await chat.call('GET', `/sessions/${id}/active-branch`)).body
    expect(active_branch[0].content).toBe('Read it again')
    expect(filesOf(active_branch[0].metadata)).toEqual([{ document_id: ids[0], name: 'a.txt' }])
  })
})
