import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { startModelServer } from '#tests/model-server.ts'

let chat: Chat
let thinker: Awaited<ReturnType<typeof startModelServer>>
beforeAll(async () => {
  thinker = await startModelServer({ models: ['gpt-oss-20b'] })
  chat = await startChat({ user: { role: 'super_admin' } })
  const given = { name: 'Thinker', kind: 'compatible', base_url: thinker.url }
  expect((await chat.call('POST', '/model-connections', given)).status).toBe(201)
})
afterAll(async () => {
  await chat.close()
  await thinker.close()
})

const tune = (id: string, body: object) => chat.call('PUT', `/sessions/${id}/tuning`, body)

describe('effort and temperature of a chat', () => {
  it('reach models that have them, until they are taken back', async () => {
    const id = await chat.aSession({ modelName: 'thinker/gpt-oss-20b' })
    expect(await tune(id, { temperature: 0.7, effort: 'high' })).toMatchObject({ status: 200 })
    await (await chat.ask(id, 'Hello')).ended
    expect(thinker.requests.at(-1)).toMatchObject({ temperature: 0.7, reasoning_effort: 'high' })
    const { body } = await chat.call('GET', `/sessions/${id}`)
    expect(body.session_metadata).toMatchObject({ temperature: 0.7, effort: 'high' })
    await tune(id, { temperature: null })
    await (await chat.ask(id, 'Hello')).ended
    expect(thinker.requests.at(-1)).not.toHaveProperty('temperature')
    expect(thinker.requests.at(-1)).toMatchObject({ reasoning_effort: 'high' })
    expect((await tune(id, { effort: 'endless' })).status).toBe(422)
  })

  it('are left out for models that do not have them', async () => {
    const id = await chat.aSession()
    await tune(id, { temperature: 0.2, effort: 'low' })
    await (await chat.ask(id, 'Hello')).ended
    expect(chat.model.requests.at(-1)).toMatchObject({ temperature: 0.2 })
    expect(chat.model.requests.at(-1)).not.toHaveProperty('reasoning_effort')
  })
})
