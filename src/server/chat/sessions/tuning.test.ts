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

describe('effort, temperature and length of a chat', () => {
  it('reach models that have them, until they are taken back [SB-07]', async () => {
    const id = await chat.aSession({ modelName: 'thinker/gpt-oss-20b' })
    expect(await tune(id, { temperature: 0.7, effort: 'high', max_words: 300 })).toMatchObject({
      status: 200,
    })
    await (await chat.ask(id, 'Hello')).ended
    expect(thinker.requests.at(-1)).toMatchObject({ temperature: 0.7, reasoning_effort: 'high' })
    expect(JSON.stringify(thinker.requests.at(-1)?.messages)).toContain('at most 300 words')
    const { body } = await chat.call('GET', `/sessions/${id}`)
    expect(body.session_metadata).toMatchObject({ temperature: 0.7, effort: 'high', max_words: 300 })
    await tune(id, { temperature: null, max_words: null })
    await (await chat.ask(id, 'Hello')).ended
    expect(thinker.requests.at(-1)).not.toHaveProperty('temperature')
    expect(thinker.requests.at(-1)).toMatchObject({ reasoning_effort: 'high' })
    expect(JSON.stringify(thinker.requests.at(-1)?.messages)).not.toContain('at most 300 words')
    expect((await tune(id, { effort: 'endless' })).status).toBe(422)
    expect((await tune(id, { max_words: 0 })).status).toBe(422)
    const { body: models } = await chat.call('GET', '/available-models')
    const tuningOf = (name: string) => models.find((model: { id: string }) => model.id === name)?.tuning
    // Controls that a model lacks are not offered for it and are hidden in the composer.
    expect(tuningOf('thinker/gpt-oss-20b')).toEqual(['effort', 'temperature', 'length'])
    expect(tuningOf('compatible/scripted')).toEqual(['temperature', 'length'])
    expect(tuningOf('atrium/offline')).toBeUndefined()
  })

  it('are left out for models that do not have them', async () => {
    const id = await chat.aSession()
    await tune(id, { temperature: 0.2, effort: 'low' })
    await (await chat.ask(id, 'Hello')).ended
    expect(chat.model.requests.at(-1)).toMatchObject({ temperature: 0.2 })
    expect(chat.model.requests.at(-1)).not.toHaveProperty('reasoning_effort')
  })
})
