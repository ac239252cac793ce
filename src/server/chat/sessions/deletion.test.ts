import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { RESTORABLE_MS } from '#shared/chat/sessions/sessions.ts'
import { aSession, aUser } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => chat.close())

const remove = (id: string) => chat.call('DELETE', `/sessions/${id}?undo=true`)
const restore = (id: string) => chat.call('POST', '/restored-sessions', { session_id: id })
const stored = (id: string) =>
  chat.app.deps.db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()

describe('deletion with undo', () => {
  it('hides the chat everywhere and restores it with its messages, pin and tags', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('Hello')])
    await (await chat.ask(id, 'Hi there')).ended
    const marks = { session_id: id, is_pinned: true, add_tags: ['Kessler'] }
    await chat.call('PUT', '/session-marks', { items: [marks] })
    expect((await remove(id)).status).toBe(200)
    expect((await chat.call('GET', `/sessions/${id}`)).status).toBe(404)
    expect((await chat.call('GET', `/sessions/${id}/active-branch`)).status).toBe(404)
    const listed = async (query: string) => (await chat.call('GET', `/sessions${query}`)).body.items
    expect(await listed('')).toEqual([])
    expect(await listed('?q=there')).toEqual([])
    expect((await chat.call('GET', '/sessions')).body).toMatchObject({ total: 0, pinned: [] })
    expect((await chat.call('PUT', '/session-marks', { items: [marks] })).status).toBe(404)
    const { status, body } = await restore(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, tags: ['Kessler'], pin_position: 1 })
    const { body: branch } = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(branch.active_branch.map(({ content }: { content: string }) => content)).toEqual([
      'Hi there',
      'Hello',
    ])
  })

  it('refuses other people, and chats that are not there', async () => {
    const id = await chat.aSession()
    await remove(id)
    const { headers } = await aUser(chat.app)
    const asked = {
      method: 'POST' as const,
      url: '/api/v1/restored-sessions',
      headers,
      payload: { session_id: id },
    }
    expect((await chat.app.http.inject(asked)).statusCode).toBe(404)
    expect((await restore(crypto.randomUUID())).status).toBe(404)
    expect((await restore(id)).status).toBe(200)
  })

  it('deletes the chat for good once it can no longer be restored', async () => {
    const [gone, back] = [await chat.aSession(), await chat.aSession()]
    await remove(gone)
    await remove(back)
    await restore(back)
    const later = new Date(Date.now() + RESTORABLE_MS + 2_000)
    vi.spyOn(chat.app.deps.clock, 'now').mockReturnValue(later)
    expect((await restore(gone)).status).toBe(404)
    for (const session_id of [gone, back]) await chat.app.deps.jobs.add('delete-session', { session_id })
    await vi.waitFor(async () => expect(await stored(gone)).toBeUndefined(), 5_000)
    expect(await stored(back)).toBeTruthy()
  })

  it('deletes the chat immediately without undo', async () => {
    const { id } = await aSession(chat.app, chat.user)
    await chat.call('DELETE', `/sessions/${id}`)
    expect(await stored(id)).toBeUndefined()
    expect((await restore(id)).status).toBe(404)
  })
})
