import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMessage, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { hangs, says, waits } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ model: { models: ['scripted', 'other'] } })
})
afterAll(() => chat.close())

type Shown = { id: string; content: string; parent_id: string | null }

const unknownId = '00000000-0000-4000-8000-000000000000'
const busy = {
  status: 409,
  body: { code: 'session_busy', detail: 'The current session is already processing a request.' },
}

const branch = async (id: string, query = '') =>
  (await chat.call('GET', `/sessions/${id}/active-branch${query}`)).body
const shown = async (id: string): Promise<Shown[]> => (await branch(id)).active_branch
const texts = async (id: string) => (await shown(id)).map(({ content }) => content)
const options = async (id: string, messageId: string) =>
  (await chat.call('GET', `/sessions/${id}/messages/${messageId}/branches`)).body
const navigate = (id: string, messageId: string) => chat.call('POST', `/sessions/${id}/navigate/${messageId}`)

const stream = (id: string, messageId: string, action: string, body: object = {}, { headers } = chat.user) =>
  openStream(`${chat.url}/sessions/${id}/messages/${messageId}/${action}`, { method: 'POST', headers, body })

async function regenerate(id: string, messageId: string, { query = '', body = {} } = {}) {
  const opened = await stream(id, messageId, `regenerate${query}`, body)
  await opened.ended
  return opened
}

async function edit(id: string, messageId: string, content: string, clientId?: string) {
  const body = { content, ...(clientId ? { client_id: clientId } : {}) }
  const opened = await stream(id, messageId, 'edit-and-regenerate', body)
  await opened.ended
  return opened
}

/** Creates a session with two turns: question 1, answer 1, question 2, answer 2. */
async function aConversation() {
  const id = await chat.aSession({ turns: 2 })
  const [question1, answer1, question2, answer2] = (await shown(id)).map((message) => message.id)
  return { id, question1: question1!, answer1: answer1!, question2: question2!, answer2: answer2! }
}

describe('regenerating', () => {
  it('streams a new alternative and keeps the old reply and its successors [BR-07, SV-24, G-12, G-18]', async () => {
    const { id, question1, answer1, answer2 } = await aConversation()
    chat.model.reply([says('Another answer')])
    const opened = await regenerate(id, answer1)
    expect(opened.view()).toMatchObject({ content: 'Another answer', user_message_id: question1 })
    expect(await texts(id)).toEqual(['Question 1', 'Another answer'])
    const [first, second] = await options(id, answer1)
    expect(first).toMatchObject({ id: answer2, message_id: answer1 })
    expect(second).toMatchObject({ message_id: opened.view()?.message_id })
    await navigate(id, answer1)
    expect(await texts(id)).toEqual(['Question 1', 'Answer 1', 'Question 2', 'Answer 2'])
  })

  it("uses the model of the query or body, else the session's [BR-10, SV-24]", async () => {
    const { id, answer2 } = await aConversation()
    const models = async () => chat.model.requests.at(-1)?.model
    await regenerate(id, answer2, { query: '?model=compatible/other' })
    expect(await models()).toBe('other')
    await regenerate(id, answer2, { body: { model_name: 'compatible/other' } })
    expect(await models()).toBe('other')
    const last = await regenerate(id, answer2)
    expect(await models()).toBe('scripted')
    expect(last.view()?.model_name).toBe('compatible/scripted')
    await expect(regenerate(id, answer2, { query: '?model=compatible/none' })).rejects.toThrow('422')
  })

  it('sends the model the path to the question and nothing from other branches [BR-07]', async () => {
    const { id, answer1 } = await aConversation()
    await regenerate(id, answer1)
    const sent = JSON.stringify(chat.model.requests.at(-1)?.messages)
    expect(sent).toContain('Question 1')
    expect(sent).not.toContain('Answer 1')
    expect(sent).not.toContain('Question 2')
  })

  it('is refused while a run is active or waits for a person [BR-09]', async () => {
    const { id, answer2, question2 } = await aConversation()
    chat.model.reply([hangs()])
    const running = await chat.ask(id, 'More')
    await running.until('agent_processing_started')
    const refused = (action: string, messageId: string, body = {}) =>
      chat.call('POST', `/sessions/${id}/messages/${messageId}/${action}`, body)
    expect(await refused('regenerate', answer2)).toMatchObject(busy)
    expect(await refused('edit-and-regenerate', question2, { content: 'x' })).toMatchObject(busy)
    await chat.call('POST', `/sessions/${id}/stop`)
    const { db } = chat.app.deps
    for (const state of ['waiting', 'paused'] as const) {
      await db.updateTable('runs').set({ state }).where('session_id', '=', id).execute()
      expect(await refused('regenerate', answer2)).toMatchObject(busy)
      expect(await refused('edit-and-regenerate', question2, { content: 'x' })).toMatchObject(busy)
    }
    expect(await options(id, answer2)).toHaveLength(1)
    expect(await options(id, question2)).toHaveLength(1)
  })

  it('applies only to replies, and editing only to questions, of the same session [BR-11, SV-24, SV-25]', async () => {
    const { id, question1, answer1, question2 } = await aConversation()
    const other = await aConversation()
    const unasked = await aMessage(chat.app, id, { role: 'assistant' })
    for (const messageId of [question1, question2, unasked.id])
      await expect(stream(id, messageId, 'regenerate')).rejects.toThrow('422')
    await expect(stream(id, answer1, 'edit-and-regenerate', { content: 'x' })).rejects.toThrow('422')
    for (const messageId of [unknownId, other.answer1, 'undefined']) {
      await expect(stream(id, messageId, 'regenerate')).rejects.toThrow('404')
      await expect(stream(id, messageId, 'edit-and-regenerate', { content: 'x' })).rejects.toThrow('404')
      expect((await navigate(id, messageId)).status).toBe(404)
      expect(await options(id, messageId)).toMatchObject({ code: 'not_found' })
    }
  })

  it('returns 402 before storing anything [BR-07, BR-12]', async () => {
    const paid = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } } })
    try {
      const id = await paid.aSession({ turns: 1 })
      const path = `/sessions/${id}/active-branch`
      const [question, answer] = (await paid.call('GET', path)).body.active_branch
      const messages = `/sessions/${id}/messages`
      const refused = { status: 402, body: { code: 'insufficient_balance' } }
      expect(await paid.call('POST', `${messages}/${answer.id}/regenerate`, {})).toMatchObject(refused)
      const body = { content: 'Changed' }
      expect(await paid.call('POST', `${messages}/${question.id}/edit-and-regenerate`, body)).toMatchObject(
        refused,
      )
      expect((await paid.call('GET', path)).body).toMatchObject({ total: 2, branch_count: 1 })
    } finally {
      await paid.close()
    }
  })
})

describe('editing', () => {
  it('stores a marked alternative question and answers it [BR-12, SV-25, G-12, G-17]', async () => {
    const { id, question2, answer1 } = await aConversation()
    chat.model.reply([says('Answer to the change')])
    const opened = await edit(id, question2, 'Question 2, asked better', 'edit-1')
    const init = opened.events[0]?.event
    expect(init).toMatchObject({
      user_message: { is_modified: true, client_id: 'edit-1', parent_id: answer1 },
    })
    expect(await texts(id)).toEqual([
      ...['Question 1', 'Answer 1', 'Question 2, asked better', 'Answer to the change'],
    ])
    expect((await shown(id))[2]).toMatchObject({ is_modified: true })
    await navigate(id, question2)
    expect(await texts(id)).toEqual(['Question 1', 'Answer 1', 'Question 2', 'Answer 2'])
    expect((await shown(id))[2]).toMatchObject({ is_modified: false })
  })

  it('works for the first question, which then has an alternative root [BR-12, G-18]', async () => {
    const { id, question1 } = await aConversation()
    await edit(id, question1, 'Another beginning')
    expect((await branch(id)).total).toBe(2)
    expect(await options(id, question1)).toHaveLength(2)
    expect((await branch(id)).forks).toMatchObject([{ position: 2, count: 2, later: 3, later_id: question1 }])
  })

  it('with the same client_id stores one message and streams one reply to both callers [BR-12, SV-25]', async () => {
    const { id, question2 } = await aConversation()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const body = { content: 'Changed', client_id: 'twin' }
    const send = () => stream(id, question2, 'edit-and-regenerate', body)
    const streams = await Promise.all([send(), send()])
    gate.open()
    await Promise.all(streams.map(({ ended }) => ended))
    const late = await send()
    await late.ended
    for (const opened of [...streams, late]) expect(opened.view()?.content).toBe('one two')
    expect(await options(id, question2)).toHaveLength(2)
  })

  it('refuses empty content [BR-13]', async () => {
    const { id, question2 } = await aConversation()
    for (const content of ['', '  \n', undefined]) {
      await expect(stream(id, question2, 'edit-and-regenerate', { content })).rejects.toThrow('422')
    }
    expect(await options(id, question2)).toHaveLength(1)
  })
})

describe('navigating to a branch', () => {
  it('lists alternatives oldest first, each with its newest leaf [BR-02, SV-26]', async () => {
    const { id, question1, answer1, answer2 } = await aConversation()
    const other = await aMessage(chat.app, id, { parentId: question1, role: 'assistant', content: 'Other' })
    const listed = await options(id, other.id)
    expect(listed).toEqual([
      { id: answer2, message_id: answer1, created_at: expect.stringMatching(/Z$/) },
      { id: other.id, message_id: other.id, created_at: expect.stringMatching(/Z$/) },
    ])
    expect(await options(id, answer1)).toEqual(listed)
    expect(await options(id, answer2)).toHaveLength(1)
  })

  it('activates the branch and returns its newest page [BR-06, SV-27]', async () => {
    const { id, question1, answer1, answer2 } = await aConversation()
    const other = await aMessage(chat.app, id, { parentId: question1, role: 'assistant', content: 'Other' })
    const { status, body } = await navigate(id, answer1)
    expect(status).toBe(200)
    expect(body).toEqual(await branch(id))
    expect(body).toMatchObject({ branch_id: answer2, total: 4, branch_number: 1, branch_count: 2 })
    const back = await chat.call('POST', `/sessions/${id}/navigate/${other.id}?limit=1`)
    expect(back.body).toMatchObject({ branch_id: other.id, has_more: true, branch_number: 2 })
    expect(back.body.active_branch).toHaveLength(1)
  })

  it('leads from a message to its most recently viewed leaf [BR-06]', async () => {
    const { id, question1, answer1, question2, answer2 } = await aConversation()
    const { id: newer } = await aMessage(chat.app, id, { parentId: question2, role: 'assistant' })
    const { id: aside } = await aMessage(chat.app, id, { parentId: question1, role: 'assistant' })
    const leafOf = async (messageId: string) => (await navigate(id, messageId)).body.branch_id
    // The newest leaf was viewed last.
    expect(await leafOf(answer1)).toBe(newer)
    expect(await leafOf(answer2)).toBe(answer2)
    expect(await leafOf(aside)).toBe(aside)
    expect(await leafOf(answer1)).toBe(answer2)
    expect(await leafOf(newer)).toBe(newer)
    expect(await leafOf(question1)).toBe(newer)
    // The options still name the newest leaf.
    expect((await options(id, answer1))[0]).toMatchObject({ id: newer })
  })

  it('works during a reply on another branch, which neither moves nor gets lost [BR-06]', async () => {
    const { id, answer1 } = await aConversation()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const opened = await stream(id, answer1, 'regenerate')
    await opened.until('response_chunk')
    await navigate(id, answer1)
    gate.open()
    await opened.ended
    expect(await texts(id)).toEqual(['Question 1', 'Answer 1', 'Question 2', 'Answer 2'])
    await navigate(id, opened.view()!.message_id)
    expect(await texts(id)).toEqual(['Question 1', 'one two'])
  })

  it('reconnects a reader to the same reply, wherever other tabs navigated [BR-06, ST-30]', async () => {
    const { id, answer1, answer2 } = await aConversation()
    chat.model.reply([says('The reply of this tab')])
    const mine = (await regenerate(id, answer1)).view()!.message_id
    await navigate(id, answer2)
    const back = async (messageId: string) => {
      const path = `/sessions/${id}/task-stream?message_id=${messageId}`
      const opened = await chat.follow(path, { 'last-event-id': '1000000002' })
      await opened.ended
      return opened.view()
    }
    const gate = aGate()
    expect(await back(mine)).toMatchObject({ content: 'The reply of this tab', status: 'completed' })
    chat.model.reply([says('Of the '), waits(gate.opened), says('other tab')])
    const other = await stream(id, answer2, 'regenerate')
    await other.until('response_chunk')
    expect(await back(mine)).toMatchObject({ content: 'The reply of this tab', status: 'completed' })
    const joined = await chat.follow(`/sessions/${id}/task-stream?message_id=${other.view()!.message_id}`)
    await joined.until('task_stream_init')
    gate.open()
    await joined.ended
    expect(joined.view()).toMatchObject({ content: 'Of the other tab', status: 'completed' })
    expect(await back((await aConversation()).answer1)).toBeNull()
  })

  it('returns position, count and the number of later messages on other branches [BR-01, BR-15]', async () => {
    const { id, question1, answer1, answer2 } = await aConversation()
    expect(await branch(id)).toMatchObject({ forks: [], branch_number: 1, branch_count: 1 })
    const { id: aside } = await aMessage(chat.app, id, { parentId: question1, role: 'assistant' })
    const { id: third } = await aMessage(chat.app, id, { parentId: question1, role: 'assistant' })
    expect((await branch(id)).forks).toEqual([
      { message_id: third, position: 3, count: 3, later: 2, later_id: answer1 },
    ])
    await navigate(id, answer2)
    expect((await branch(id)).forks).toEqual([
      { message_id: answer1, position: 1, count: 3, later: 0, later_id: aside },
    ])
    expect((await branch(id, '?limit=2')).forks).toEqual([])
  })
})

describe('the branch map', () => {
  it('returns id, parent, role, short text, time and the active path [SV-93]', async () => {
    const { id, question1, answer1, question2, answer2 } = await aConversation()
    const content = `## Result\n\n**Prices** rise. ${'x'.repeat(5000)}`
    const { id: aside } = await aMessage(chat.app, id, { parentId: question1, role: 'assistant', content })
    const { status, body } = await chat.call('GET', `/sessions/${id}/tree`)
    expect(status).toBe(200)
    expect(body.active_leaf).toBe(aside)
    expect(body.messages).toHaveLength(5)
    expect(body.messages.map((message: Shown) => message.id)).toEqual([
      ...[question1, answer1, question2, answer2, aside],
    ])
    expect(body.messages[0]).toMatchObject({
      parent_id: null,
      role: 'user',
      text: 'Question 1',
      is_active: true,
    })
    expect(body.messages[1]).toMatchObject({ parent_id: question1, role: 'assistant', is_active: false })
    expect(body.messages[4].text).toMatch(/^Result Prices rise\. x+$/)
    expect(body.messages[4].text.length).toBeLessThanOrEqual(160)
    expect(Date.parse(body.messages[4].created_at)).toBeGreaterThan(0)
    expect((await chat.call('GET', `/sessions/${await chat.aSession()}/tree`)).body).toEqual({
      messages: [],
      active_leaf: null,
    })
  })

  it('refuses other users and reports unknown sessions as not found [G-73, SE-22]', async () => {
    const { id, answer1, question1 } = await aConversation()
    const { headers } = await aUser(chat.app)
    const paths: ['GET' | 'POST', string][] = [
      ['GET', `messages/${answer1}/branches`],
      ['POST', `navigate/${answer1}`],
      ['POST', `messages/${answer1}/regenerate`],
      ['POST', `messages/${question1}/edit-and-regenerate`],
      ['GET', 'tree'],
    ]
    for (const [method, path] of paths) {
      const ask = (sessionId: string, as: Record<string, string>) =>
        chat.app.http.inject({ method, url: `/api/v1/sessions/${sessionId}/${path}`, headers: as })
      expect((await ask(id, headers)).statusCode).toBe(403)
      expect((await ask(unknownId, headers)).statusCode).toBe(404)
      expect((await ask(id, {})).statusCode).toBe(401)
    }
  })
})

describe('searching branches', () => {
  const find = async (id: string, query: string) => chat.call('GET', `/sessions/${id}/tree/search?${query}`)

  it('finds words on every branch, newest first, and names the branch to show [SV-93, SE-24]', async () => {
    const { id, question1, answer1, answer2 } = await aConversation()
    const other = await aMessage(chat.app, id, {
      ...{ parentId: question1, role: 'assistant', content: '# The **100 %** answer\nof `Kessler & Cie.`' },
    })
    const { status, body } = await find(id, 'q=ANSWER')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      total: 3,
      items: [
        { message_id: other.id, role: 'assistant', branch_number: 2, is_active: true },
        { message_id: answer2, branch_number: 1, is_active: false },
        { message_id: answer1, branch_number: 1, is_active: false },
      ],
    })
    expect(body.items[0].match).toBe('The 100 % \uE000answer\uE001 of Kessler & Cie.')
    expect((await find(id, 'q=100%20%25')).body.total).toBe(1)
    expect((await find(id, 'q=**100')).body.items[0].match).toBe(
      '# The \uE000**100\uE001 %** answer of `Kessler & Cie.`',
    )
    expect((await find(id, 'q=100_%25')).body).toEqual({ items: [], total: 0 })
    // A message on both branches is shown with the active one.
    await navigate(id, answer1)
    expect((await find(id, 'q=Question%201')).body.items[0]).toMatchObject({
      ...{ message_id: question1, branch_number: 1, is_active: true },
    })
  })

  it('is paged, requires words, and is private to the user [SV-93]', async () => {
    const { id, answer1, answer2 } = await aConversation()
    const page = async (skip: number) => (await find(id, `q=answer&limit=1&skip=${skip}`)).body
    expect((await page(0)).items.map((hit: { message_id: string }) => hit.message_id)).toEqual([answer2])
    expect((await page(1)).items.map((hit: { message_id: string }) => hit.message_id)).toEqual([answer1])
    expect(await page(2)).toEqual({ items: [], total: 2 })
    expect((await find(id, 'q=%20')).status).toBe(422)
    expect((await find(id, '')).status).toBe(422)
    expect((await find(unknownId, 'q=a')).status).toBe(404)
    const stranger = await aUser(chat.app)
    const url = `/api/v1/sessions/${id}/tree/search?q=a`
    expect((await chat.app.http.inject({ method: 'GET', url, headers: stranger.headers })).statusCode).toBe(
      403,
    )
  })
})
