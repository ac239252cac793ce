import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { aReader, type Reader } from '#tests/documents.ts'

let chat: Chat
let ada: Reader
beforeAll(async () => {
  chat = await startChat({ app: { config: { ATRIUM_EMBEDDING_MODEL: 'atrium/lexical' } } })
  ada = await aReader(chat.app, chat.url, chat.user)
})
afterAll(() => chat.close())

async function read(name: string): Promise<string> {
  const { body } = await ada.upload({ name, content: `${name} says something.` })
  await ada.processed(body.id)
  return body.id
}

const libraryOf = async (id: string) => (await ada.call('GET', `/sessions/${id}/library`)).body
const link = (id: string, document: string) => ada.call('POST', `/sessions/${id}/documents/${document}`)

describe('chat library', () => {
  it('counts each document of the chat, its workspaces and its assistant once', async () => {
    const [lease, menu, plan] = [await read('lease.txt'), await read('menu.txt'), await read('plan.txt')]
    const { body: space } = await ada.call('POST', '/workspaces', { name: 'Kitchen' })
    await ada.call('POST', `/documents/workspace/${space.id}/documents`, { document_ids: [menu, lease] })
    const { body: assistant } = await ada.call('POST', '/assistants', {
      ...{ name: 'Cook', system_prompt: '', documents: [plan, menu] },
    })
    const { body: session } = await ada.call('POST', '/sessions', { assistant_id: assistant.id })
    await link(session.id, lease)
    await ada.call('POST', `/sessions/${session.id}/workspaces/${space.id}`)
    expect(await libraryOf(session.id)).toEqual({
      documents: { items: [{ id: lease, name: 'lease.txt', status: 'completed' }], total: 1 },
      workspaces: { items: [{ id: space.id, name: 'Kitchen', document_count: 2 }], total: 1 },
      assistant: { id: assistant.id, name: 'Cook', document_count: 2 },
      readable: 3,
      left_out: { reading: { documents: 0, names: [] }, failed: { documents: 0, names: [] } },
    })
  })

  it('names at most six documents, and lists those still being read or unreadable', async () => {
    const id = await chat.aSession()
    const all: string[] = []
    for (let at = 0; at < 8; at += 1) all.push(await read(`file ${at}.txt`))
    for (const one of all) await link(id, one)
    const { db } = chat.app.deps
    await db
      .updateTable('documents')
      .set({ status: 'queued' })
      .where('id', '=', all[0] ?? '')
      .execute()
    await db
      .updateTable('documents')
      .set({ status: 'failed' })
      .where('id', '=', all[1] ?? '')
      .execute()
    const { documents, readable, left_out } = await libraryOf(id)
    expect([documents.items.length, documents.total, readable]).toEqual([6, 8, 6])
    expect(documents.items[0].name).toBe('file 7.txt')
    expect(left_out).toEqual({
      reading: { documents: 1, names: ['file 0.txt'] },
      failed: { documents: 1, names: ['file 1.txt'] },
    })
  })

  it('omits documents that the user may no longer read', async () => {
    const stranger = await aReader(chat.app, chat.url)
    const id = await chat.aSession()
    const mine = await read('mine.txt')
    await link(id, mine)
    const { db } = chat.app.deps
    await db.updateTable('documents').set({ user_id: stranger.user.id }).where('id', '=', mine).execute()
    expect(await libraryOf(id)).toMatchObject({ documents: { items: [], total: 0 }, readable: 0 })
    expect((await stranger.call('GET', `/sessions/${id}/library`)).status).toBe(403)
  })
})
