import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '#tests/builders.ts'
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
  for (const table of ['facts', 'memory_settings'] as const)
    await chat.app.deps.db.deleteFrom(table).execute()
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
const FACT = 'The maintenance year begins on 1 April'
const add = (text: string) => chat.call('POST', '/facts', { text })
const textOf = ({ text }: { text: string }) => text
const total = async (state: string) => (await chat.call('GET', `/facts?state=${state}`)).body.total
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

describe('facts', () => {
  it('are listed, found, changed with their history, and exported', async () => {
    await add(FACT)
    const { body } = await add('I prefer tables with totals')
    expect((await chat.call('GET', '/facts?q=TABLES')).body).toMatchObject({
      total: 1,
      items: [{ id: body.fact.id }],
    })
    const changed = await chat.call('PUT', `/facts/${body.fact.id}`, { text: 'I prefer lists' })
    expect(changed.body).toMatchObject({
      text: 'I prefer lists',
      history: [{ text: 'I prefer tables with totals' }],
    })
    const exported = await chat.call('GET', '/facts/export')
    expect(exported.body.facts.map(({ text }: { text: string }) => text)).toEqual(['I prefer lists', FACT])
    const stranger = await aUser(chat.app)
    const seen = await fetch(`${chat.url}/facts`, { headers: stranger.headers })
    expect(await seen.json()).toEqual({ items: [], total: 0 })
  })

  it('are merged when equal, and replaced with history when they contradict [ME-03]', async () => {
    const first = await add('We have nine sites')
    const equal = await add('we have 9 sites.')
    expect(equal.body).toMatchObject({ outcome: 'merged', fact: { id: first.body.fact.id } })
    const id = await chat.aSession()
    await say(id, 'Remember that we have eight sites.')
    expect((await chat.call('GET', '/facts')).body).toMatchObject({
      total: 1,
      items: [
        {
          id: first.body.fact.id,
          text: 'We have eight sites.',
          history: [{ text: 'We have nine sites', replaced_at: expect.any(String) }],
        },
      ],
    })
  })

  it('are merged when one is changed into another, and keep at most 20 earlier versions', async () => {
    await add('We have nine sites')
    const second = (await add('The office closes at six')).body.fact
    const change = (text: string) => chat.call('PUT', `/facts/${second.id}`, { text })
    expect((await change('We have nine sites.')).body.history.map(textOf).sort()).toEqual([
      'The office closes at six',
      'We have nine sites',
    ])
    expect((await facts()).items).toMatchObject([{ id: second.id, text: 'We have nine sites.' }])
    for (let sites = 20; sites < 45; sites += 1) await change(`We have ${sites} sites`)
    const { db } = chat.app.deps
    expect(await db.selectFrom('facts').select('id').where('state', '=', 'replaced').execute()).toHaveLength(
      20,
    )
  })

  it('that were replaced elsewhere leave the history with the chat they were learned in', async () => {
    const [first, second] = [await chat.aSession(), await chat.aSession()]
    await say(first, 'Remember that we have nine sites.')
    await say(second, 'Remember that we have eight sites.')
    expect((await facts()).items[0].history.map(textOf)).toEqual(['We have nine sites.'])
    expect((await chat.call('GET', `/sessions/${first}/memory`)).body.learned).toBe(1)
    expect((await chat.call('DELETE', `/sessions/${first}/memory`)).body).toEqual({ deleted: 1 })
    expect((await facts()).items).toMatchObject([{ text: 'We have eight sites.', history: [] }])
  })

  it('with a secret are refused with a reason', async () => {
    expect(await add('My password is hunter2')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('password') },
    })
    const id = await chat.aSession()
    await say(id, 'Remember that my card is 4111 1111 1111 1111.')
    expect(promptOf()).toContain('Not stored in memory: It contains a card number')
    expect(await total('kept')).toBe(0)
    expect((await chat.call('GET', '/memory/settings')).body.refused[0]).toMatchObject({ reason: 'card' })
  })

  it('learned in a chat are deleted with it when the person wishes, and all with the account', async () => {
    await add(FACT)
    const id = await chat.aSession()
    await say(id, 'Remember that the office closes at six.')
    expect((await chat.call('GET', `/sessions/${id}/memory`)).body.learned).toBe(1)
    expect((await chat.call('DELETE', `/sessions/${id}/memory`)).body).toEqual({ deleted: 1 })
    expect((await chat.call('GET', '/facts')).body.items).toMatchObject([{ text: FACT }])
    const leaver = await aUser(chat.app)
    const { db } = chat.app.deps
    await db
      .insertInto('facts')
      .values({ user_id: leaver.id, text: 'x', words: 'x', origin: 'manual' })
      .execute()
    await db.deleteFrom('users').where('id', '=', leaver.id).execute()
    expect(await db.selectFrom('facts').select('id').where('user_id', '=', leaver.id).execute()).toEqual([])
  })
})

describe('the built-in model', () => {
  it.each([
    [
      'en',
      'Remember that the year begins in April.',
      'I will remember: “The year begins in April.”',
      'What do you know about me?',
    ],
    [
      'fr',
      'Retiens que l’année commence en avril.',
      'Je retiens\u00a0: «\u00a0L’année commence en avril.\u00a0»',
      'Que sais-tu de moi ?',
    ],
  ])('remembers and tells what it knows, in %s [ME-10]', async (_, asked, answer, question) => {
    const id = await chat.aSession({ modelName: 'atrium/offline' })
    expect((await say(id, question)).content).toMatch(/nothing about you yet|encore rien de vous/)
    expect((await say(id, asked)).content).toBe(answer)
    const other = await chat.aSession({ modelName: 'atrium/offline' })
    expect((await say(other, question)).content).toMatch(
      /- (?:The year begins in April|L’année commence en avril)\.$/,
    )
    await chat.call('PATCH', '/memory/settings', { is_on: false })
    expect((await say(other, question)).content).toMatch(/memory is off|mémoire est désactivée/)
  })
})
