import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp } from '../../../tests/support/app.ts'
import { aUser } from '../../../tests/support/builders.ts'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { openStream } from '../../../tests/support/event-stream.ts'
import { fails, says, thinks } from '../../../tests/support/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

describe('the events of a session', () => {
  it('ST-04 ST-31 ST-32 SV-19 G-19 stay open over runs and carry both families of names', async () => {
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

  it('SV-20 G-20 a test event arrives on the stream, under its name and with its data', async () => {
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

  it('ST-31 carries what happens in another process', async () => {
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
      await new Promise((resolve) => setTimeout(resolve, 1_200))
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

  it('SE-22 G-73 every stream of another user is 403, of an unknown session 404', async () => {
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
    const posts = ['stop', 'test-event', 'messages', `messages/${unknown}/generate`]
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
