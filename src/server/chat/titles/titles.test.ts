import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { fails, says, waits } from '#tests/model-server.ts'
import { readTitle } from './name-chat.ts'

let chat: Chat
const config = { ATRIUM_TITLES: 'model' }
beforeAll(async () => {
  chat = await startChat({ app: { config } })
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.model.requests.length = 0
})

const titleOf = async (id: string): Promise<string> => (await chat.call('GET', `/sessions/${id}`)).body.title
async function titled(id: string, title: string) {
  for (let tries = 0; tries < 100 && (await titleOf(id)) !== title; tries += 1) await sleep(50)
  expect(await titleOf(id)).toBe(title)
}
const booked = (id: string) =>
  chat.app.deps.db
    .selectFrom('ledger_entries')
    .select(['kind', 'reason'])
    .where('session_id', '=', id)
    .where('reason', '=', 'title')
    .execute()
async function bookedOnce(id: string, kind: string) {
  for (let tries = 0; tries < 100 && (await booked(id)).length === 0; tries += 1) await sleep(50)
  expect(await booked(id)).toEqual([{ kind, reason: 'title' }])
}
async function say(id: string, content: string) {
  await (await chat.ask(id, content)).ended
}

describe('the title of a chat', () => {
  it('is the model’s after the first reply, booked like any call [SE-23]', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    const gate = aGate()
    chat.model.reply([says('In a pan.')], [waits(gate.opened), says('"Bread without an oven."')])
    await say(id, 'How do I bake bread? I have no oven.')
    expect(await titleOf(id)).toBe('How do I bake bread?')
    gate.open()
    await titled(id, 'Bread without an oven')
    const [, asked] = chat.model.requests
    expect(JSON.parse(String(asked?.messages.at(-1)?.content))).toEqual({
      question: 'How do I bake bread? I have no oven.',
      reply: 'In a pan.',
    })
    await bookedOnce(id, 'usage')
    await say(id, 'And without a pan?')
    await sleep(300)
    expect(chat.model.requests).toHaveLength(3)
  })

  it('stays the one the person gave, also while the model thinks of another [SE-23]', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    const gate = aGate()
    chat.model.reply([says('Yes.')], [waits(gate.opened), says('Another')])
    await say(id, 'Is it?')
    while (chat.model.requests.length < 2) await sleep(20)
    await chat.call('PUT', `/sessions/${id}/rename`, { title: 'Mine' })
    gate.open()
    await bookedOnce(id, 'absorbed')
    expect(await titleOf(id)).toBe('Mine')
  })

  it('is paid for although its chat is deleted while the model thinks of it', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    const gate = aGate()
    chat.model.reply([says('Yes.')], [waits(gate.opened), says('Too late')])
    await say(id, 'Is it?')
    while (chat.model.requests.length < 2) await sleep(20)
    const entries = () =>
      chat.app.deps.db
        .selectFrom('ledger_entries')
        .select(['kind', 'session_id', 'run_id'])
        .where('reason', '=', 'title')
        .where('session_id', 'is', null)
        .execute()
    expect(await entries()).toEqual([])
    await chat.call('DELETE', `/sessions/${id}`)
    gate.open()
    const gone = { kind: 'usage', session_id: null, run_id: null }
    await expect.poll(entries, { timeout: 10_000 }).toEqual([gone])
    await sleep(300)
    expect([await entries(), chat.model.requests.length]).toEqual([[gone], 2])
  })

  it('stays the first words of the message when the model fails, or is the built-in one [SE-23]', async () => {
    const id = await chat.aSession({ title: 'Chat 12345678' })
    chat.model.reply([says('Yes.')], [fails(400)])
    await say(id, 'Is it so?')
    const other = await chat.aSession({ title: 'Chat 12345678', modelName: 'atrium/offline' })
    await say(other, 'What is 21 * 2? Please explain.')
    await sleep(500)
    expect([await titleOf(id), await titleOf(other)]).toEqual(['Is it so?', 'What is 21 * 2?'])
    expect([...(await booked(id)), ...(await booked(other))]).toEqual([])
  })

  it('is given by another process when the first one is gone', async () => {
    await chat.app.deps.jobs.stop()
    const id = await chat.aSession({ title: 'Chat 12345678' })
    chat.model.reply([says('Yes.')], [says('A late name')])
    await say(id, 'Is it so?')
    expect(await titleOf(id)).toBe('Is it so?')
    const url = { ATRIUM_COMPATIBLE_URL: chat.model.url }
    const other = await startApp({ address: chat.app.address, config: { ...config, ...url } })
    await titled(id, 'A late name')
    await other.close()
  })
})

it.each([
  ['Bread without an oven', 'Bread without an oven'],
  ['"Bread without an oven."', 'Bread without an oven'],
  ['**Title:** « Du pain sans four »', 'Du pain sans four'],
  ['Titre : Le bail', 'Le bail'],
  ['x'.repeat(80), `${'x'.repeat(49)}…`],
  ['  ', ''],
])('reads the title in %j', (answer, title) => {
  expect(readTitle(answer)).toBe(title)
})
