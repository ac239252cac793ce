import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aMessage, aUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { hangs, says, waits } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const branch = async (id: string, query = '') =>
  (await chat.call('GET', `/sessions/${id}/active-branch${query}`)).body

const generate = (id: string, messageId: string, body: object = {}) =>
  openStream(`${chat.url}/sessions/${id}/messages/${messageId}/generate`, {
    ...{ method: 'POST', headers: chat.user.headers, body },
  })

describe('sending a message', () => {
  it('takes two calls: one returns the message, generate streams its reply [MS-09, SV-21, SV-23, G-12]', async () => {
    const id = await chat.aSession()
    const { status, body } = await chat.call('POST', `/sessions/${id}/messages/`, {
      content: 'Hi',
      role: 'user',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ content: 'Hi', role: 'user', chat_session_id: id, parent_id: null })
    const stream = await generate(id, body.id)
    await stream.ended
    expect(stream.wire.map(({ event }) => event)).toContain('agent_processing_started')
    const [, reply] = (await branch(id)).active_branch
    expect(reply).toMatchObject({ parent_id: body.id, role: 'assistant', content: stream.view()?.content })
  })

  it('takes one call that stores, starts and streams [MS-09, SV-21]', async () => {
    const id = await chat.aSession()
    const stream = await chat.ask(id, { content: 'Hi', role: 'user', client_id: 'c1' })
    await stream.ended
    const init = stream.events[0]?.event
    expect(init).toMatchObject({
      event: 'task_stream_init',
      user_message: { content: 'Hi', client_id: 'c1' },
    })
    expect((await branch(id)).active_branch).toHaveLength(2)
  })

  it('starts the agent of the given type with POST /messages [MS-11, SV-22]', async () => {
    const id = await chat.aSession()
    const { status, body } = await chat.call('POST', '/messages/', {
      ...{ content: 'Hi', chat_session_id: id, agent_type: 'single_turn' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ role: 'user', content: 'Hi' })
    const stream = await chat.follow(`/sessions/${id}/task-stream`)
    await stream.ended
    expect(stream.view()).toMatchObject({
      agent_type: 'single_turn',
      content: 'Hello from the scripted model.',
    })
  })

  it('refuses an empty message [MS-10]', async () => {
    const id = await chat.aSession()
    for (const content of ['', '  \n ', undefined, 5, null]) {
      expect((await chat.call('POST', `/sessions/${id}/messages`, { content })).status).toBe(422)
      expect((await chat.call('POST', '/messages', { content, chat_session_id: id })).status).toBe(422)
    }
    expect((await branch(id)).active_branch).toEqual([])
  })

  it('refuses more than 1 MB with 413, and invalid JSON with 400 [MS-10]', async () => {
    const id = await chat.aSession()
    const path = `/sessions/${id}/messages`
    const large = await chat.call('POST', path, { content: 'é'.repeat(500_001) })
    expect(large).toMatchObject({ status: 413, body: { code: 'too_large' } })
    expect((await chat.call('POST', path, { content: 'é'.repeat(500_000) })).status).toBe(201)
    expect(await chat.call('POST', path, '{"content": ')).toMatchObject({
      status: 400,
      body: { code: 'malformed' },
    })
  })

  it('returns the same message for the same client_id, even in a race [MS-09]', async () => {
    const id = await chat.aSession()
    const send = () => chat.call('POST', `/sessions/${id}/messages`, { content: 'Hi', client_id: 'same' })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await branch(id)).total).toBe(1)
  })

  it('stores one message and streams one reply to both when the one-call form is repeated [MS-09]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const send = () => chat.ask(id, { content: 'Hi', client_id: 'twin' })
    const streams = await Promise.all([send(), send(), send()])
    gate.open()
    await Promise.all(streams.map(({ ended }) => ended))
    const late = await send()
    await late.ended
    for (const stream of [...streams, late]) expect(stream.view()?.content).toBe('one two')
    expect((await branch(id)).total).toBe(2)
  })

  it('refuses a second first message, even in a race', async () => {
    const id = await chat.aSession()
    const first = (content: string, client_id: string) =>
      chat.call('POST', `/sessions/${id}/messages`, { content, client_id, is_first: true })
    const both = await Promise.all([first('One', 'one'), first('Two', 'two')])
    const taken = both.findIndex(({ status }) => status === 201)
    expect(both[1 - taken]).toMatchObject({ status: 409, body: { code: 'chat_begun' } })
    const [text, name] = taken === 0 ? (['One', 'one'] as const) : (['Two', 'two'] as const)
    expect((await first(text, name)).body.id).toBe(both[taken]?.body.id)
    expect(await first('Three', 'three')).toMatchObject({ status: 409, body: { code: 'chat_begun' } })
    expect((await branch(id)).total).toBe(1)
  })

  it('returns 409 session_busy while a run is active [BR-09]', async () => {
    const id = await chat.aSession()
    chat.model.reply([hangs()])
    const stream = await chat.ask(id, 'First')
    await stream.until('agent_processing_started')
    const busy = {
      status: 409,
      body: { code: 'session_busy', detail: 'The current session is already processing a request.' },
    }
    expect(await chat.call('POST', `/sessions/${id}/messages`, { content: 'Second' })).toMatchObject(busy)
    expect(await chat.call('POST', '/messages', { content: 'Second', chat_session_id: id })).toMatchObject(
      busy,
    )
    await expect(chat.ask(id, 'Second')).rejects.toThrow('409')
    expect((await branch(id)).total).toBe(2)
    await chat.call('POST', `/sessions/${id}/stop`)
  })

  it('joins the active run with generate, which refuses a finished reply and non-questions [SV-23]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const first = await chat.ask(id, 'Hi')
    await first.until('response_chunk')
    const [question] = (await branch(id)).active_branch
    const joined = await generate(id, question.id)
    gate.open()
    await joined.ended
    expect(joined.view()?.content).toBe('one two')
    await first.ended
    await expect(generate(id, question.id)).rejects.toThrow('409')
    await expect(generate(id, first.view()!.message_id)).rejects.toThrow('422')
    await expect(generate(id, '00000000-0000-4000-8000-000000000000')).rejects.toThrow('404')
  })

  it('uses the tool chosen with the message, in two calls as well [MS-15, G-68]', async () => {
    const id = await chat.aSession()
    const sent = await chat.call('POST', `/sessions/${id}/messages`, {
      content: 'Hi',
      tool_choice: 'calculator',
    })
    await (await generate(id, sent.body.id)).ended
    expect(chat.model.requests.at(-1)).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'calculator' } },
    })
    await (await chat.ask(id, { content: 'Hi', tool_choice: '' })).ended
    expect(chat.model.requests.at(-1)?.tool_choice ?? 'auto').toBe('auto')
    const unknown = await chat.call('POST', `/sessions/${id}/messages`, {
      content: 'Hi',
      tool_choice: 'nothing',
    })
    expect(unknown).toMatchObject({ status: 422, body: { code: 'not_available' } })
  })

  it("offers the model the session's tools, all tools without a list, and none with an empty list", async () => {
    const offered = async (session_tools?: string[]) => {
      const id = await chat.aSession({ metadata: session_tools ? { session_tools } : {} })
      await (await chat.ask(id, 'Hi')).ended
      const tools = (chat.model.requests.at(-1)?.tools ?? []) as { function: { name: string } }[]
      return tools.map((tool) => tool.function.name)
    }
    const all = await offered()
    expect(all).toContain('weather')
    expect(await offered([])).toEqual([])
    // Asking the user is not a selectable tool.
    expect(await offered(['calculator'])).toEqual(['calculator', 'ask_person'])
  })

  it('offers or withholds single tools of a session [TO-02]', async () => {
    const id = await chat.aSession()
    const path = `/sessions/${id}/tools`
    const { body: usual } = await chat.call('GET', path)
    expect(usual.tool_ids).toContain('weather')
    const others = usual.tool_ids.filter((tool: string) => tool !== 'weather')
    const { body: fewer } = await chat.call('PUT', path, { tool_id: 'weather', is_offered: false })
    expect(fewer.tool_ids).toEqual(others)
    const { body: session } = await chat.call('GET', `/sessions/${id}`)
    expect(session.session_metadata.session_tools).toEqual(others)
    await (await chat.ask(id, 'Hi')).ended
    expect(JSON.stringify(chat.model.requests.at(-1)?.tools)).not.toContain('"weather"')
    const { body: again } = await chat.call('PUT', path, { tool_id: 'weather', is_offered: true })
    expect(again.tool_ids).toEqual([...others, 'weather'])
    expect((await chat.call('GET', path)).body.tool_ids.toSorted()).toEqual(usual.tool_ids.toSorted())
    const unknown = await chat.call('PUT', path, { tool_id: 'nothing', is_offered: true })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  })

  it('is refused for an unavailable agent type', async () => {
    const id = await chat.aSession()
    const { agents } = chat.app.deps.engine
    const { single_turn } = agents
    delete agents.single_turn
    const sent = { content: 'Hi', chat_session_id: id, agent_type: 'single_turn' }
    expect(await chat.call('POST', '/messages', sent)).toMatchObject({
      ...{ status: 422, body: { code: 'not_available' } },
    })
    agents.single_turn = single_turn
    expect((await branch(id)).total).toBe(0)
  })

  it('returns 402 before storing anything when billing is on and the balance is empty', async () => {
    const paid = await startChat({ app: { config: { ATRIUM_BILLING: 'on' } } })
    try {
      const id = await paid.aSession()
      const refused = await paid.call('POST', `/sessions/${id}/messages`, { content: 'Hi' })
      expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_balance' } })
      await expect(paid.ask(id, 'Hi')).rejects.toThrow('402')
      expect((await paid.call('GET', `/sessions/${id}/active-branch`)).body.total).toBe(0)
    } finally {
      await paid.close()
    }
  })

  it('keeps text that PostgreSQL would reject [MS-01]', async () => {
    const id = await chat.aSession()
    const { body } = await chat.call('POST', `/sessions/${id}/messages`, '{"content":"a\\u0000b\\ud800c"}')
    expect(body.content).toBe('ab\ufffdc')
    chat.model.reply([says('x\u0000y', '\ud83d', '\ude00')])
    const stream = await chat.ask(await chat.aSession(), 'Hi')
    await stream.ended
    expect(stream.view()).toMatchObject({ content: 'xy😀', status: 'completed' })
  })
})

describe('the active branch', () => {
  it('is empty with the branch id default in a session without messages [BR-01, SV-17, G-34]', async () => {
    const answer = await chat.call('GET', `/sessions/${await chat.aSession()}/active-branch`)
    expect(answer).toEqual({
      status: 200,
      body: {
        ...{ active_branch: [], branch_id: 'default', total: 0, start: 0, has_more: false },
        ...{ forks: [], links: [], branch_number: 0, branch_count: 0 },
      },
    })
  })

  it('is paged from the newest back, with each page oldest first [BR-01]', async () => {
    const id = await chat.aSession({ turns: 5 })
    const newest = await branch(id, '?limit=4')
    expect(newest).toMatchObject({ total: 10, has_more: true })
    expect(newest.active_branch.map(({ content }: { content: string }) => content)).toEqual([
      ...['Question 4', 'Answer 4', 'Question 5', 'Answer 5'],
    ])
    expect(newest.branch_id).toBe(newest.active_branch[3].id)
    const older = await branch(id, `?limit=6&before=${newest.active_branch[0].id}`)
    expect(older).toMatchObject({ total: 10, has_more: false })
    expect(older.active_branch).toHaveLength(6)
    const unknown = await chat.call(
      'GET',
      `/sessions/${id}/active-branch?before=00000000-0000-4000-8000-000000000000`,
    )
    expect(unknown.status).toBe(404)
  })

  it('can be paged around or after a message, towards another one [BR-01]', async () => {
    const id = await chat.aSession({ turns: 6 })
    const all = (await branch(id)).active_branch.map((message: { id: string }) => message.id)
    const page = async (query: string) => {
      const { active_branch, start, total } = await branch(id, `?${query}`)
      return { ids: active_branch.map((message: { id: string }) => message.id), start, total }
    }
    const before = `before=${all[10]}`
    const pageOf = (start: number, end: number) => ({ ids: all.slice(start, end), start, total: 12 })
    expect(await page(`limit=4&${before}&around=${all[5]}`)).toEqual(pageOf(3, 7))
    expect(await page(`limit=4&${before}&around=${all[0]}`)).toEqual(pageOf(0, 4))
    expect(await page(`limit=4&${before}&around=${all[9]}`)).toEqual(pageOf(6, 10))
    expect(await page(`limit=4&around=${all[11]}`)).toEqual(pageOf(8, 12))
    expect(await page(`limit=4&${before}&after=${all[2]}`)).toEqual(pageOf(3, 7))
    expect(await page(`limit=4&${before}&after=${all[8]}`)).toEqual(pageOf(9, 10))
    expect(await page('limit=4')).toEqual(pageOf(8, 12))
  })

  it('can still be paged after another tab navigated away [BR-01]', async () => {
    const id = await chat.aSession({ turns: 3 })
    const left = (await branch(id)).active_branch.map((message: { id: string }) => message.id)
    const other = await aMessage(chat.app, id, { parentId: left[0], role: 'assistant', content: 'Other' })
    expect((await branch(id)).active_branch.map((message: { id: string }) => message.id)).toEqual([
      ...[left[0], other.id],
    ])
    const older = await branch(id, `?limit=2&before=${left[4]}`)
    expect(older.active_branch.map((message: { id: string }) => message.id)).toEqual([left[2], left[3]])
    expect(older).toMatchObject({ branch_id: left[5], start: 2, has_more: true })
  })

  it('excludes alternatives of its messages [BR-01]', async () => {
    const id = await chat.aSession({ turns: 1 })
    const [question] = (await branch(id)).active_branch
    await aMessage(chat.app, id, { parentId: question.id, role: 'assistant', content: 'Other' })
    expect((await branch(id)).active_branch.map(({ content }: { content: string }) => content)).toEqual([
      ...['Question 1', 'Other'],
    ])
    const { status } = await chat.call('POST', `/sessions/${id}/messages`, {
      content: 'New root',
      parent_id: null,
    })
    expect(status).toBe(201)
    expect((await branch(id)).total).toBe(1)
    const foreign = await chat.aSession({ turns: 1 })
    const [theirs] = (await branch(foreign)).active_branch
    const refused = await chat.call('POST', `/sessions/${id}/messages`, {
      content: 'Hi',
      parent_id: theirs.id,
    })
    expect(refused.status).toBe(404)
  })

  it('handles 10,000 messages without special treatment [BR-01]', async () => {
    const id = await chat.aSession()
    const { db } = chat.app.deps
    const ids = Array.from({ length: 10_000 }, () => crypto.randomUUID())
    for (let at = 0; at < ids.length; at += 2000) {
      const rows = ids.slice(at, at + 2000).map((messageId, index) => ({
        ...{
          id: messageId,
          session_id: id,
          parent_id: ids[at + index - 1] ?? null,
          content: 'x'.repeat(200),
        },
        role: (index % 2 ? 'assistant' : 'user') as 'assistant' | 'user',
      }))
      await db.insertInto('messages').values(rows).execute()
    }
    await db
      .updateTable('sessions')
      .set({ active_leaf: ids.at(-1) })
      .where('id', '=', id)
      .execute()
    const times: number[] = []
    for (const _ of [1, 2, 3]) {
      const started = performance.now()
      await branch(id)
      times.push(performance.now() - started)
    }
    expect(Math.min(...times)).toBeLessThan(1_500)
    const page = await branch(id)
    expect(page).toMatchObject({ total: 10_000, has_more: true })
    expect(page.active_branch).toHaveLength(200)
    const stream = await chat.ask(id, 'Hi')
    await stream.ended
    expect(stream.view()?.status).toBe('completed')
  }, 40_000)

  it('cannot be extended by another user [SE-22, G-73, MS-11]', async () => {
    const id = await chat.aSession()
    const { headers } = await aUser(chat.app)
    const send = (chat_session_id: string) =>
      chat.app.http.inject({
        ...{ method: 'POST', url: '/api/v1/messages', headers },
        payload: { content: 'Hi', chat_session_id },
      })
    expect((await send(id)).statusCode).toBe(403)
    expect((await send('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404)
  })
})
