import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCompany, aSession, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { aReader } from '#tests/documents.ts'
import { openStream } from '#tests/event-stream.ts'
import { type ModelRequest, says, waits } from '#tests/model-server.ts'
import { goBack, resume } from '#tests/replays.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
let companyId: string
beforeAll(async () => {
  chat = await startChat({ user: { workingMemory: true, role: 'member' } })
  companyId = await aCompany(chat.app)
}, 120_000)
afterAll(() => chat.close())

/** Records of a run up to the choice of its facts. */
const WITH_FACTS = 2
const isForBelief = (request: ModelRequest) =>
  JSON.stringify(request.response_format ?? '').includes('belief')
beforeEach(async () => {
  chat.model.requests.length = 0
  chat.model.always((request) => [
    says(
      isForBelief(request)
        ? JSON.stringify({
            ...{ goals: [], facts: [], open_questions: [] },
            remember: [{ text: 'I lead the Lyon office', replaces: '' }],
          })
        : 'Done.',
    ),
  ])
  for (const table of ['facts', 'memory_switches', 'memory_settings'] as const)
    await chat.app.deps.db.deleteFrom(table).execute()
})

async function say(id: string, content: string) {
  const stream = await chat.ask(id, content)
  await stream.ended
  return stream.view()!
}
const add = (text: string, workspace_id: string | null = null) =>
  chat.call('POST', '/facts', { text, workspace_id })
const promptOf = (part: string) =>
  chat.model.requests.find((one) => !isForBelief(one) && JSON.stringify(one.messages).includes(part))
const FACT = 'The maintenance year begins on 1 April'
const QUESTION = 'I lead the Lyon office. When does the maintenance year begin?'
const isTold = () => JSON.stringify(promptOf('Lyon office')?.messages).includes(FACT)
const total = async (state: string) => (await chat.call('GET', `/facts?state=${state}`)).body.total
/** Waits until the working memory includes the newest reply. */
const settled = (id: string) =>
  expect
    .poll(async () => (await chat.call('GET', `/sessions/${id}/belief`)).body, { timeout: 10_000 })
    .toMatchObject({ is_pending: false, message_id: expect.any(String) })

const places: [string, (sessionId: string, assistantId: string) => object][] = [
  ['the account', () => ({ is_on: false })],
  ['a chat', (session_id) => ({ switches: [{ session_id, is_on: false }] })],
  ['an assistant', (_, assistant_id) => ({ switches: [{ assistant_id, is_on: false }] })],
  ['a provider', () => ({ switches: [{ provider: 'compatible', is_on: false }] })],
]

describe('memory that is off', () => {
  it.each(places)('for %s is neither read nor written [ME-05]', { timeout: 60_000 }, async (_, off) => {
    await add(FACT)
    const { body: assistants } = await chat.call('GET', '/assistants')
    const assistantId = assistants[0].id as string
    const id = await chat.aSession({ metadata: { assistant_id: assistantId } })
    const changed = await chat.call('PATCH', '/memory/settings', off(id, assistantId))
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    await say(id, QUESTION)
    await settled(id)
    expect(promptOf('Lyon office')).toBeDefined()
    expect(isTold()).toBe(false)
    await say(id, 'Remember that the office closes at six.')
    expect([await total('kept'), await total('proposed')]).toEqual([1, 0])
    // Switched on again, the same chat reads and writes.
    await chat.call('PATCH', '/memory/settings', {
      is_on: true,
      switches: [
        { session_id: id, is_on: true },
        { assistant_id: assistantId, is_on: true },
        { provider: 'compatible', is_on: true },
      ],
    })
    chat.model.requests.length = 0
    await say(id, QUESTION)
    expect(isTold()).toBe(true)
    await expect.poll(() => total('proposed'), { timeout: 10_000 }).toBe(1)
  })

  it('counts from the next model call on, also for a fact that was deleted', async () => {
    const { body } = await add(FACT)
    const id = await chat.aSession()
    const { run_id } = await say(id, QUESTION)
    expect(isTold()).toBe(true)
    expect((await readRun(chat.app, run_id)).keys.slice(0, 2)).toEqual(['input:input', 'step:memory'])
    await goBack(chat, run_id, WITH_FACTS)
    chat.model.requests.length = 0
    await resume(chat, run_id)
    expect(isTold()).toBe(true)
    await goBack(chat, run_id, WITH_FACTS)
    await chat.call('DELETE', `/facts/${body.fact.id}`)
    chat.model.requests.length = 0
    await resume(chat, run_id)
    expect(promptOf('Lyon office')).toBeDefined()
    expect(isTold()).toBe(false)
  })
})

describe('a temporary chat', () => {
  it('neither reads nor writes memory', async () => {
    await add(FACT)
    const { body } = await chat.call('POST', '/sessions', {
      is_temporary: true,
      model_name: 'compatible/scripted',
    })
    await say(body.id, QUESTION)
    await say(body.id, 'Remember that the office closes at six.')
    expect(isTold()).toBe(false)
    expect([await total('kept'), await total('proposed')]).toEqual([1, 0])
  })
})

/** Asks the question in a new chat and waits until its proposals are stored. */
async function askAnew() {
  const id = await chat.aSession()
  await say(id, QUESTION)
  await settled(id)
  return id
}

describe('a fact', () => {
  it('comes by hand, from “remember” and from proposals, which are asked about, kept or rejected as configured [ME-02]', {
    timeout: 120_000,
  }, async () => {
    await add(FACT)
    await say(await chat.aSession(), 'Remember that the office closes at six.')
    expect([await total('kept'), await total('proposed')]).toEqual([2, 0])
    // Asking is the default.
    await askAnew()
    expect([await total('kept'), await total('proposed')]).toEqual([2, 1])
    const decide = async (accept: boolean) => {
      const { body } = await chat.call('GET', '/facts?state=proposed')
      return chat.call('POST', `/facts/${body.items[0].id}/decision`, { accept })
    }
    expect((await decide(false)).body).toEqual({ fact: null })
    await askAnew()
    const { body } = await decide(true)
    expect(body.fact).toMatchObject({ text: 'I lead the Lyon office', state: 'kept' })
    expect([await total('kept'), await total('proposed')]).toEqual([3, 0])
    await chat.call('DELETE', `/facts/${body.fact.id}`)
    await chat.call('PATCH', '/memory/settings', { proposals: 'refuse' })
    chat.model.requests.length = 0
    await askAnew()
    expect(JSON.stringify(chat.model.requests)).not.toContain('one more field, remember')
    expect([await total('kept'), await total('proposed')]).toEqual([2, 0])
    await chat.call('PATCH', '/memory/settings', { proposals: 'keep' })
    await askAnew()
    expect([await total('kept'), await total('proposed')]).toEqual([3, 0])
  })

  it('belongs to a person or a project, with its source, when it was learned and last used [ME-01]', {
    timeout: 60_000,
  }, async () => {
    const { app } = chat
    await app.deps.db
      .updateTable('companies')
      .set({ members_share: true })
      .where('id', '=', companyId)
      .execute()
    const aColleague = async () => aReader(app, chat.url, await aUser(app, { role: 'member', companyId }))
    const [ada, bob] = [await aColleague(), await aColleague()]
    const { id: project } = (await ada.call('POST', '/workspaces', { name: 'Contracts' })).body
    await ada.call('POST', `/projects/${project}/members`, {
      ...{ recipient: { who: 'person', id: bob.user.id }, role: 'reader' },
    })
    const { id: session } = await aSession(app, ada.user, { modelName: 'compatible/scripted' })
    await ada.call('PUT', '/session-projects', {
      items: [{ session_id: session, workspace_id: project, is_shared: false }],
    })
    const sayAsAda = async (content: string) => {
      const stream = await openStream(`${chat.url}/sessions/${session}/messages`, {
        ...{ method: 'POST', headers: ada.user.headers, body: { content } },
      })
      await stream.ended
      return stream.view()!.user_message_id
    }
    const ofProject = await sayAsAda(`Remember for this project that ${FACT}.`)
    const ofAda = await sayAsAda('Remember that I prefer lists.')
    const source = { session_id: session, title: expect.any(String) }
    const unused = { learned_at: expect.stringMatching(/^20/), used_at: null, uses: 0 }
    expect((await ada.call('GET', '/facts')).body.items).toMatchObject([
      { text: 'I prefer lists.', project: null, source: { ...source, message_id: ofAda }, ...unused },
      { text: `${FACT}.`, project: { id: project }, source: { ...source, message_id: ofProject }, ...unused },
    ])
    await sayAsAda('When does the maintenance year begin?')
    expect((await bob.call('GET', '/facts')).body.items).toMatchObject([
      {
        text: `${FACT}.`,
        source: null,
        told_by: ada.user.username,
        used_at: expect.stringMatching(/^20/),
        uses: 1,
      },
    ])
  })
})

describe('project memory', () => {
  it('is visible to members, used in the project, and ends with the membership [ME-09]', {
    timeout: 60_000,
  }, async () => {
    const { app } = chat
    const base = chat.url
    const ada = await aReader(app, base, await aUser(app, { role: 'member', companyId }))
    const bob = await aReader(app, base, await aUser(app, { role: 'member', companyId }))
    const eve = await aReader(app, base, await aUser(app, { role: 'member', companyId }))
    await app.deps.db
      .updateTable('companies')
      .set({ members_share: true })
      .where('id', '=', companyId)
      .execute()
    const { id: project } = (await ada.call('POST', '/workspaces', { name: 'Contracts' })).body
    const recipient = { who: 'person', id: bob.user.id }
    const members = await ada.call('POST', `/projects/${project}/members`, { recipient, role: 'reader' })
    const { body } = await ada.call('POST', '/facts', { text: FACT, workspace_id: project })
    const texts = async (who: typeof ada) =>
      (await who.call('GET', '/facts')).body.items.map(({ text }: { text: string }) => text)
    expect([await texts(ada), await texts(bob), await texts(eve)]).toEqual([[FACT], [FACT], []])
    const change = (who: typeof ada) =>
      who.call('PUT', `/facts/${body.fact.id}`, { text: `${FACT} 2027` }).then(({ status }) => status)
    expect([await change(bob), await change(eve)]).toEqual([403, 403])
    const { id: session } = await aSession(app, bob.user, { modelName: 'compatible/scripted' })
    await bob.call('PUT', '/session-projects', {
      items: [{ session_id: session, workspace_id: project, is_shared: false }],
    })
    const ask = async () => {
      chat.model.requests.length = 0
      const stream = await openStream(`${base}/sessions/${session}/messages`, {
        ...{ method: 'POST', headers: bob.user.headers, body: { content: QUESTION } },
      })
      await stream.ended
      return isTold()
    }
    expect(await ask()).toBe(true)
    const run = await app.deps.db
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', session)
      .executeTakeFirstOrThrow()
    // The membership ends between the choice of the facts and the model call.
    await goBack(chat, run.id, WITH_FACTS)
    const member = members.body.items.find(
      (one: { recipient_id: string }) => one.recipient_id === bob.user.id,
    )
    expect((await ada.call('DELETE', `/projects/${project}/members/${member.id}`)).status).toBe(200)
    chat.model.requests.length = 0
    await resume(chat, run.id)
    expect(promptOf('Lyon office')).toBeDefined()
    expect(isTold()).toBe(false)
    expect(await texts(bob)).toEqual([])
  })
})

/** Stores the summary and the working memory of a reply in a new chat. */
async function aRemembering(summary: string, facts: string[]) {
  const { db } = chat.app.deps
  const id = await chat.aSession({ turns: 1 })
  const messages = await db.selectFrom('messages').selectAll().where('session_id', '=', id).execute()
  const reply = messages.find(({ role }) => role === 'assistant')!
  const metadata = JSON.stringify({ summary, compaction: summary })
  await db.updateTable('messages').set({ metadata }).where('id', '=', reply.id).execute()
  const run = await db
    .insertInto('runs')
    .values({
      ...{ user_id: chat.user.id, session_id: id, user_message_id: reply.parent_id!, message_id: reply.id },
      ...{ agent_type: 'multi_turn', agent_version: 1, model_name: 'x', state: 'completed' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const entry = (text: string) => ({ text, message_id: reply.id })
  const content = { goals: [entry('Redo the table')], facts: facts.map(entry), open_questions: [] }
  await db
    .insertInto('beliefs')
    .values({ run_id: run.id, message_id: reply.id, content: JSON.stringify(content) })
    .execute()
  const read = async () => {
    const belief = db.selectFrom('beliefs').select('content').where('run_id', '=', run.id)
    const message = db.selectFrom('messages').select('metadata').where('id', '=', reply.id)
    const { content: stored } = await belief.executeTakeFirstOrThrow()
    return { content: stored, metadata: (await message.executeTakeFirstOrThrow()).metadata }
  }
  return { content, read }
}

describe('a deleted fact', () => {
  it('leaves summaries and working memories, and no other sentence of them', async () => {
    const { body } = await add('We have eight sites')
    const { content, read } = await aRemembering('The person has eight sites. They ask for a table.', [
      'The person has 8 sites',
    ])
    const traces = await chat.call('GET', `/facts/${body.fact.id}/traces`)
    expect(traces.body).toEqual({ summaries: 1, working_memories: 1 })
    await chat.call('DELETE', `/facts/${body.fact.id}`)
    const left = 'They ask for a table.'
    expect(await read()).toEqual({
      content: { ...content, facts: [] },
      metadata: { summary: left, compaction: left },
    })
  })

  it('stays deleted when another one is deleted concurrently', async () => {
    const texts = [
      'We have eight sites',
      'The year begins in April',
      'Anna likes pears',
      'The office closes at six',
    ]
    const ids = await Promise.all(texts.map(async (text) => (await add(text)).body.fact.id as string))
    const { read } = await aRemembering(`${texts.join('. ')}. They ask for a table.`, texts)
    await Promise.all(ids.map((id) => chat.call('DELETE', `/facts/${id}`)))
    expect(await read()).toMatchObject({
      content: { facts: [] },
      metadata: { summary: 'They ask for a table.' },
    })
  })
})

it('does not bring a deleted fact back with a working memory that was being written', {
  timeout: 60_000,
}, async () => {
  const { body } = await add('We have eight sites')
  const id = await chat.aSession()
  const gate = aGate()
  const said = [
    { text: 'They have eight sites', from: 'question' },
    { text: 'They want a table', from: 'question' },
  ]
  let isLate = false
  let isWriting = false
  chat.model.always((request) => {
    if (!isForBelief(request)) return [says('Done.')]
    const content = JSON.stringify({ goals: [], facts: said, open_questions: [], remember: [] })
    isWriting = isLate
    return isLate ? [waits(gate.opened), says(content)] : [says(content)]
  })
  await say(id, 'Redo the table.')
  await settled(id)
  isLate = true
  await say(id, 'Once more.')
  await expect.poll(() => isWriting, { timeout: 10_000 }).toBe(true)
  await chat.call('DELETE', `/facts/${body.fact.id}`)
  gate.open()
  await settled(id)
  const { facts } = (await chat.call('GET', `/sessions/${id}/belief`)).body
  expect(facts).toMatchObject([{ text: 'They want a table' }])
})

it('keeps the facts of a person out of chats that members of a project read', async () => {
  await add(FACT)
  const { body: project } = await chat.call('POST', '/workspaces', { name: 'Shared' })
  const id = await chat.aSession()
  await chat.call('PUT', '/session-projects', {
    items: [{ session_id: id, workspace_id: project.id, is_shared: true }],
  })
  await say(id, QUESTION)
  expect(promptOf('Lyon office')).toBeDefined()
  expect(isTold()).toBe(false)
})
