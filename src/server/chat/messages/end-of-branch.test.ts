import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMessage } from '#tests/builders.ts'
import { type Chat, startChat } from '#tests/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

type Shown = { id: string; content: string }
const shown = async (id: string): Promise<Shown[]> =>
  (await chat.call('GET', `/sessions/${id}/active-branch`)).body.active_branch
const texts = async (id: string) => (await shown(id)).map(({ content }) => content)
const send = async (id: string, body: object) => (await chat.ask(id, body as never)).ended

describe('message for the end of a branch', () => {
  /** Returns a chat with a turn, and the reply that a browser shows last. */
  async function aChat() {
    const id = await chat.aSession({ turns: 1 })
    const seen = (await shown(id)).at(-1)!.id
    return { id, seen }
  }

  it('follows what another browser, the queue or a schedule added behind the last message seen', async () => {
    const { id, seen } = await aChat()
    await send(id, { content: 'From A' })
    const [, , , reply] = await shown(id)
    const { body } = await chat.call('POST', `/sessions/${id}/messages`, {
      ...{ content: 'From B', parent_id: seen, at_end: true },
    })
    expect(body.parent_id).toBe(reply!.id)
    expect(await texts(id)).toEqual(['Question 1', 'Answer 1', 'From A', reply!.content, 'From B'])
  })

  it('stays on the branch that was seen when another one is active', async () => {
    const { id, seen } = await aChat()
    await send(id, { content: 'From A' })
    const [question, , , end] = await shown(id)
    await aMessage(chat.app, id, { content: 'Elsewhere' })
    expect(await texts(id)).toEqual(['Elsewhere'])
    await send(id, { content: 'From B', parent_id: seen, at_end: true })
    const path = await shown(id)
    expect(path.map((message) => message.id)).toEqual(expect.arrayContaining([question!.id, seen, end!.id]))
    expect(path.at(-2)).toMatchObject({ content: 'From B', parent_id: end!.id })
  })

  it('begins another branch when it does not ask for the end', async () => {
    const { id, seen } = await aChat()
    await send(id, { content: 'From A' })
    await send(id, { content: 'Deliberate', parent_id: seen })
    expect((await texts(id)).slice(0, 3)).toEqual(['Question 1', 'Answer 1', 'Deliberate'])
  })

  it('is refused for a message of another chat', async () => {
    const { id } = await aChat()
    const other = await aChat()
    const body = { content: 'Hi', parent_id: other.seen, at_end: true }
    expect((await chat.call('POST', `/sessions/${id}/messages`, body)).status).toBe(404)
  })
})
