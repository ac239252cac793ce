import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '#tests/chat.ts'
import { type ModelRequest, says } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ user: { workingMemory: true } })
}, 120_000)
afterAll(() => chat.close())
beforeEach(async () => {
  chat.model.requests.length = 0
  chat.model.forget()
  proposes()
  await chat.app.deps.db.deleteFrom('facts').execute()
})

async function say(id: string, content: string) {
  const stream = await chat.ask(id, content)
  await stream.ended
  return stream.view()!
}
const isForBelief = (request: ModelRequest) =>
  JSON.stringify(request.response_format ?? '').includes('belief')
const nothing = { goals: [], facts: [], open_questions: [] }
/** Makes the model propose these facts after each reply. */
function proposes(...remember: (string | { text: string; replaces: string })[]) {
  chat.model.always((request) => [
    says(isForBelief(request) ? JSON.stringify({ ...nothing, remember }) : 'Done.'),
  ])
}
const promptOf = () => JSON.stringify(chat.model.requests.find((one) => !isForBelief(one))?.messages)
const facts = async (query = '') => (await chat.call('GET', `/facts${query}`)).body

describe('memory', () => {
  it('stores what a person asks to remember, with its message', async () => {
    const id = await chat.aSession()
    const view = await say(id, 'Remember that the maintenance year begins on 1 April.')
    expect((await facts()).items).toMatchObject([
      {
        text: 'The maintenance year begins on 1 April.',
        origin: 'remember',
        source: { session_id: id, message_id: view.user_message_id },
        used_at: null,
        uses: 0,
      },
    ])
  })

  it('tells a relevant fact in another chat, and names it under the answer', async () => {
    await chat.call('POST', '/facts', { text: 'The maintenance year begins on 1 April.' })
    await chat.call('POST', '/facts', { text: 'Anna likes pears.' })
    const id = await chat.aSession()
    const view = await say(id, 'When does the maintenance year begin?')
    expect(promptOf()).toContain('begins on 1 April')
    expect(promptOf()).not.toContain('pears')
    const { body } = await chat.call('GET', `/sessions/${id}/memory`)
    expect(body.used).toMatchObject([
      { message_id: view.message_id, facts: [{ text: 'The maintenance year begins on 1 April.' }] },
    ])
    expect((await facts('?q=april')).items[0]).toMatchObject({ uses: 1, used_at: expect.any(String) })
  })

  it('lists a proposal, and keeps it once it is accepted', async () => {
    const id = await chat.aSession()
    const proposal = { text: 'I am head of procurement for eight sites', replaces: '' }
    proposes(proposal)
    const view = await say(id, 'I am head of procurement for eight sites. Redo the table.')
    await expect.poll(async () => (await facts('?state=proposed')).total, { timeout: 10_000 }).toBe(1)
    expect((await facts()).total).toBe(0)
    const { body } = await chat.call('GET', `/sessions/${id}/memory`)
    expect(body.proposals).toMatchObject([{ message_id: view.message_id, fact: { text: proposal.text } }])
    const factId = body.proposals[0].fact.id
    const decided = await chat.call('POST', `/facts/${factId}/decision`, { accept: true })
    expect(decided.body.fact).toMatchObject({ id: factId, state: 'kept' })
    const calls = chat.model.requests.filter((one) => JSON.stringify(one.messages).includes('eight sites'))
    expect(calls).toHaveLength(2)
  })
})
