import { expect, it, vi } from 'vitest'
import { startChat } from '#tests/chat.ts'

it("a message that requests a stream over the user's limit is not stored", async () => {
  const chat = await startChat({ app: { config: { ATRIUM_LIMIT_STREAMS_PER_USER: '2' } } })
  try {
    const id = await chat.aSession()
    const first = await chat.follow(`/sessions/${id}/events`)
    const second = await chat.follow(`/sessions/${id}/events`)
    const post = () =>
      chat.call('POST', `/sessions/${id}/messages`, { content: 'Go' }, { accept: 'text/event-stream' })
    expect(await post()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    for (const path of ['events', 'task-stream']) {
      await expect(chat.follow(`/sessions/${id}/${path}`)).rejects.toThrow('answered 429')
    }
    const { body } = await chat.call('GET', `/sessions/${id}/messages`)
    expect(JSON.stringify(body)).not.toContain('Go')
    second.leave()
    await vi.waitFor(async () => void (await (await chat.ask(id, 'Go')).ended), 20_000)
    first.leave()
  } finally {
    await chat.close()
  }
}, 60_000)
