import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { startApp } from '#tests/app.ts'
import { aUser, type TestUser } from '#tests/builders.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { fails, says, thinks, waits } from '#tests/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ user: { role: 'super_admin' } })
})
afterAll(() => chat.close())

describe('the session event stream', () => {
  it('stays open across runs and carries both families of names [ST-04, ST-31, ST-32, SV-19, G-19]', async () => {
    const id = await chat.aSession()
    const events = await chat.follow(`/sessions/${id}/events`)
    await events.until('connection_established')
    expect(events.wire[0]?.event).toBe('connection_established')
    chat.model.reply([thinks('hm'), says('Hello')])
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    const message = await events.until('agent_message')
    expect(JSON.parse(message.data)).toMatchObject({ content: 'Hello', role: 'assistant' })
    const names = events.wire.map(({ event }) => event)
    expect(names).toEqual(
      expect.arrayContaining([
        ...['agent_processing_started', 'agent_thinking', 'agent_processing_complete'],
        ...['response_stream_start', 'response_chunk', 'response_stream_end'],
        ...['agent_response_stream_start', 'agent_response_chunk', 'agent_response_stream_end'],
        ...['agent_status', 'message_status', 'agent_message'],
      ]),
    )
    const find = (name: string) => events.wire.find(({ event }) => event === name)!
    expect(find('agent_response_chunk')).toMatchObject({ id: null, data: find('response_chunk').data })
    expect(find('response_chunk').id).not.toBeNull()
    chat.model.reply([fails(401)])
    await (await chat.ask(id, 'Again')).ended
    expect(await events.until('agent_response_error')).toMatchObject({ id: null })
    events.leave()
  })

  it('delivers a test event with its name and data [SV-20, G-20]', async () => {
    const id = await chat.aSession()
    const events = await chat.follow(`/sessions/${id}/events`)
    await events.until('connection_established')
    const sent = await chat.call('POST', `/sessions/${id}/test-event`, {
      event_type: 'test_event',
      data: { n: 1 },
    })
    expect(sent).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(JSON.parse((await events.until('test_event')).data)).toEqual({ n: 1 })
    await chat.call('POST', `/sessions/${id}/test-event`, { event_type: 'evil\nid: 5', data: 1 })
    expect(await events.until('evil id: 5')).toMatchObject({ id: null })
    events.leave()
  })

  it('accepts test events only from super admins and only small ones', async () => {
    const id = await chat.aSession()
    const send = async (user: TestUser, data: unknown) => {
      const answer = await fetch(`${chat.url}/sessions/${id}/test-event`, {
        method: 'POST',
        headers: { ...user.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ data }),
      })
      return answer.status
    }
    expect(await send(await aUser(chat.app), 1)).toBe(403)
    expect(await send(await aUser(chat.app, { role: 'company_admin' }), 1)).toBe(403)
    expect(await send(chat.user, 'x'.repeat(8_000))).toBe(200)
    expect(await send(chat.user, 'x'.repeat(8_200))).toBe(413)
  })

  it('carries events of other processes [ST-31]', async () => {
    const other = await startApp({
      address: chat.app.address,
      config: { ATRIUM_COMPATIBLE_URL: chat.model.url },
    })
    try {
      const url = `${await other.listen()}/api/v1`
      const id = await chat.aSession()
      const events = await openStream(`${url}/sessions/${id}/events`, { headers: chat.user.headers })
      await events.until('connection_established')
      await chat.call('POST', `/sessions/${id}/test-event`, { event_type: 'hello', data: {} })
      await events.until('hello')
      // A process checks for peers once a second.
      await vi.waitFor(() => expect(other.deps.engine.hasPeers).toBe(true), 20_000)
      await (await chat.ask(id, 'Go')).ended
      await events.until('agent_processing_complete')
      const text = events.wire
        .filter(({ event }) => event === 'response_chunk')
        .map(({ data }) => JSON.parse(data).content)
      expect(text.join('')).toBe('Hello from the scripted model.')
      events.leave()
    } finally {
      await other.close()
    }
  })

  it('delivers every character once to a reader that reconnects at any time to any process [ST-31, ST-32]', async () => {
    const other = await startApp({
      address: chat.app.address,
      config: { ATRIUM_COMPATIBLE_URL: chat.model.url },
    })
    try {
      const places = [chat.url, `${await other.listen()}/api/v1`]
      const id = await chat.aSession()
      const words = Array.from({ length: 400 }, (_, at) => `word${at} `)
      const gates = Array.from({ length: 8 }, () => aGate())
      chat.model.reply(
        gates.flatMap(({ opened }, at) => [says(...words.slice(at * 50, at * 50 + 50)), waits(opened)]),
      )
      const heard: RunEvent[] = []
      let lastId = '0'
      const listen = async (round: number, until: number) => {
        const url = `${places[round % 2]}/sessions/${id}/events`
        const headers = { ...chat.user.headers, 'last-event-id': lastId }
        const events = await openStream(url, { headers })
        await events.until('connection_established')
        await vi.waitFor(() => expect(events.events.length).toBeGreaterThanOrEqual(until), {
          timeout: 20_000,
        })
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40))
        events.leave()
        await events.ended
        heard.push(...events.events.map(({ event }) => event))
        lastId = events.lastId() ?? lastId
      }
      await listen(0, 0)
      const answer = await chat.ask(id, 'Go')
      for (const [round, gate] of gates.entries()) {
        gate.open()
        await listen(round, 1)
      }
      await answer.ended
      while (!heard.some(({ event }) => event === 'agent_processing_complete')) await listen(1, 1)
      const text = (event: RunEvent) => (event.event === 'response_chunk' ? event.content : '')
      expect(heard.map(text).join('')).toBe(words.join(''))
      expect(heard.filter(({ event }) => event === 'agent_processing_complete')).toHaveLength(1)
      expect(heard.map(({ event }) => event)).not.toContain('task_stream_init')
    } finally {
      await other.close()
    }
  })

  it('restarts a reader from a snapshot when its gap is too old [ST-31, ST-03]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('The first answer.')])
    await (await chat.ask(id, 'One')).ended
    // Opening a stream first stores everything sent so far.
    const first = await chat.follow(`/sessions/${id}/events`)
    await first.until('connection_established')
    first.leave()
    await chat.app.deps.db.deleteFrom('run_events').where('session_id', '=', id).execute()
    chat.model.reply([says('The second answer.')])
    const second = await chat.ask(id, 'Two')
    await second.ended
    for (const lastId of ['1000000003', '999', '0']) {
      const events = await chat.follow(`/sessions/${id}/events`, { 'last-event-id': lastId })
      await events.until('task_stream_init')
      expect(events.view()).toMatchObject({ content: 'The second answer.', status: 'completed' })
      events.leave()
      const again = await chat.follow(`/sessions/${id}/events`, { 'last-event-id': events.lastId() ?? '' })
      const established = await again.until('connection_established')
      expect(JSON.parse(established.data)).toMatchObject({ last_event_id: events.lastId() })
      await chat.call('POST', `/sessions/${id}/test-event`, { event_type: 'after_all', data: {} })
      await again.until('after_all')
      expect(again.wire.map(({ event }) => event)).toEqual(['connection_established', 'after_all'])
      again.leave()
    }
  })

  it('lets a reader with an unknown position join a reply in progress [ST-31]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('Half an '), waits(gate.opened), says('answer.')])
    const answer = await chat.ask(id, 'Go')
    await answer.until('response_chunk')
    const events = await chat.follow(`/sessions/${id}/events`, { 'last-event-id': '77' })
    await events.until('task_stream_init')
    expect(events.view()).toMatchObject({ content: 'Half an ', status: 'streaming' })
    gate.open()
    await events.until('agent_processing_complete')
    expect(events.view()).toMatchObject({ content: 'Half an answer.', status: 'completed' })
    events.leave()
  })

  it("returns 403 for another user's streams and 404 for an unknown session [SE-22, G-73]", async () => {
    const id = await chat.aSession()
    const stranger = await aUser(chat.app)
    const unknown = '00000000-0000-4000-8000-000000000000'
    const paths = ['task-stream', 'events', 'active-branch', 'model', '']
    for (const path of paths) {
      const of = (session: string) => `/api/v1/sessions/${session}/${path}`
      const get = (url: string, headers = {}) => chat.app.http.inject({ method: 'GET', url, headers })
      expect((await get(of(id), stranger.headers)).statusCode, path).toBe(403)
      expect((await get(of(unknown), stranger.headers)).statusCode, path).toBe(404)
      expect((await get(of('nonsense'), stranger.headers)).statusCode, path).toBe(404)
      expect((await get(of(id))).statusCode, path).toBe(401)
    }
    const posts = ['stop', 'messages', `messages/${unknown}/generate`]
    for (const path of posts) {
      const post = (session: string) =>
        chat.app.http.inject({
          ...{ method: 'POST', url: `/api/v1/sessions/${session}/${path}`, headers: stranger.headers },
          payload: {},
        })
      expect((await post(id)).statusCode, path).toBe(403)
      expect((await post(unknown)).statusCode, path).toBe(404)
    }
  })
})
