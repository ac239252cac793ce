import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { type ModelRequest, says, waits } from '#tests/model-server.ts'

let chat: Chat
let admin: TestUser
beforeAll(async () => {
  chat = await startChat({ user: { workingMemory: true }, app: { config: { ATRIUM_TITLES: 'model' } } })
  admin = await aUser(chat.app, { role: 'super_admin' })
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
})

const connection = '/model-connections/environment-compatible'
async function set(payload: object) {
  const { headers } = admin
  const url = `/api/v1${connection}`
  const answer = await chat.app.http.inject({ method: 'PATCH', url, headers, payload })
  return answer.json()
}
const titleOf = async (id: string) => (await chat.call('GET', `/sessions/${id}`)).body.title
const factsOf = async (id: string) =>
  (await chat.call('GET', `/sessions/${id}/belief`)).body.facts.map(({ text }: { text: string }) => text)
const memory = (title: string, fact: string) =>
  JSON.stringify({ title, goals: [], facts: [{ text: fact, from: 'reply' }], open_questions: [] })
const isBackground = ({ response_format }: ModelRequest) => response_format !== undefined

describe('title and working memory', () => {
  it('are asked for in one call after the first reply [SE-23, SH-16]', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    chat.model.reply([says('In a pan.')], [says(memory('"Bread without an oven."', 'A pan is enough'))])
    await (await chat.ask(id, 'How do I bake bread? I have no oven.')).ended
    await expect.poll(() => titleOf(id), { timeout: 10_000 }).toBe('Bread without an oven')
    expect(await factsOf(id)).toEqual(['A pan is enough'])
    chat.model.reply([says('Yes.')], [says(memory('Another', 'It works'))])
    await (await chat.ask(id, 'Does it work?')).ended
    await expect.poll(() => factsOf(id), { timeout: 10_000 }).toEqual(['It works'])
    expect([await titleOf(id), chat.model.requests.length]).toEqual(['Bread without an oven', 4])
    expect(JSON.stringify(chat.model.requests[3]?.response_format)).not.toContain('title')
  })

  it('leave the title to a call of its own when the model gives none [SE-23]', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    chat.model.reply([says('In a pan.')], [says('I would rather not.')], [says('Bread in a pan')])
    await (await chat.ask(id, 'How do I bake bread? I have no oven.')).ended
    await expect.poll(() => titleOf(id), { timeout: 10_000 }).toBe('Bread in a pan')
  })

  it('give way to the next question at a connection with one slot, and follow later', async () => {
    const set_up = await set({ one_at_a_time: true, first_token_seconds: 900 })
    expect(set_up).toMatchObject({ one_at_a_time: true, first_token_seconds: 900 })
    const id = await chat.aSession({ title: 'Chat 12345678' })
    const never = aGate()
    chat.model.reply([says('In a pan.')], [waits(never.opened), says(memory('Too late', 'Too late'))])
    await (await chat.ask(id, 'How do I bake bread?')).ended
    await expect.poll(() => chat.model.requests.filter(isBackground).length, { timeout: 10_000 }).toBe(1)
    chat.model.reply([says('Yes.')], [says(memory('Bread in a pan', 'A pan'))], [says(memory('', 'Works'))])
    const started = performance.now()
    await (await chat.ask(id, 'Does it work?')).ended
    expect(performance.now() - started).toBeLessThan(5_000)
    await expect.poll(() => titleOf(id), { timeout: 15_000 }).toBe('Bread in a pan')
    await expect.poll(() => factsOf(id), { timeout: 15_000 }).toEqual(['Works'])
    expect(chat.model.requests.map(isBackground)).toEqual([false, true, false, true, true])
    never.open()
    expect(await set({ one_at_a_time: false, first_token_seconds: null })).toMatchObject({
      ...{ one_at_a_time: false, first_token_seconds: null },
    })
  })
})
