import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, says, waits } from '#tests/model-server.ts'
import { removeOldEvents } from '../events/store.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())
afterEach(() => vi.useRealTimers())

const words = Array.from({ length: 60 }, (_, index) => `word${index} `)
const text = words.join('')
const taskStream = (id: string) => `/sessions/${id}/task-stream`

describe('the stream of a reply', () => {
  it('opens, starts, sends text and ends [ST-01, ST-03, ST-06, ST-09, ST-10, ST-11, ST-17]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('Hel', 'lo')])
    const stream = await chat.ask(id, 'Hi')
    await stream.ended
    const names = stream.wire.map(({ event }) => event)
    expect(names.filter((name) => name !== 'response_chunk')).toEqual([
      'task_stream_init',
      'agent_processing_started',
      'checkpoint_created',
      'response_stream_start',
      'response_stream_end',
      'checkpoint_created',
      'agent_processing_complete',
    ])
    expect(JSON.parse(stream.wire[0]!.data)).toMatchObject({ user_message: { content: 'Hi', role: 'user' } })
    const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(body.active_branch[1]).toMatchObject({
      content: 'Hello',
      status: 'completed',
      id: stream.view()?.message_id,
    })
  })

  it('uses ids of epoch × 10⁹ + n that grow across runs; init and ping have none [ST-01]', async () => {
    const id = await chat.aSession()
    const ids: number[] = []
    for (const epoch of [1, 2]) {
      const stream = await chat.ask(id, 'Hi')
      await stream.ended
      expect(stream.wire[0]).toMatchObject({ event: 'task_stream_init', id: null })
      const own = stream.wire.slice(1).map((event) => Number(event.id))
      expect(own[0]).toBe(epoch * 1e9 + 1)
      ids.push(...own)
    }
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('gives a reader that reconnects at any time the same text, once [SE-19, ST-26]', async () => {
    const id = await chat.aSession()
    const gates = words.map(() => aGate())
    chat.model.reply(words.flatMap((word, index) => [waits(gates[index]!.opened), says(word)]))
    const first = await chat.ask(id, 'Go')
    const streams = [first]
    for (const [index, gate] of gates.entries()) {
      gate.open()
      await new Promise((resolve) => setTimeout(resolve, 4))
      const last = streams.at(-1)!
      if (index % 7 === 3) {
        last.leave()
        const headers: Record<string, string> =
          last.lastId() && index % 2 ? { 'last-event-id': last.lastId()! } : {}
        const chunks = index % 3 ? '?include_chunks=true' : ''
        streams.push(await chat.follow(taskStream(id) + chunks, headers))
      }
    }
    await streams.at(-1)!.ended
    expect(streams.at(-1)!.view()).toMatchObject({ content: text, status: 'completed' })
    expect(streams.length).toBeGreaterThan(5)
    for (const { events } of streams) {
      const ids = events.map((event) => Number(event.id)).filter(Boolean)
      expect(ids).toEqual([...ids].sort((a, b) => a - b))
    }
  })

  it('replays the events with include_chunks, and only later ones with Last-Event-ID [ST-30, SV-18]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one ', 'two '), waits(gate.opened), says('three')])
    const stream = await chat.ask(id, 'Go')
    await vi.waitFor(() => expect(stream.view()?.content).toBe('one two '), 20_000)
    const snapshot = await chat.follow(taskStream(id))
    await snapshot.until('task_stream_init')
    expect(snapshot.view()).toMatchObject({ content: 'one two ', status: 'streaming' })
    const replay = await chat.follow(`${taskStream(id)}?include_chunks=true`)
    await replay.until('response_chunk')
    expect(replay.wire.map(({ event }) => event).slice(0, 5)).toEqual([
      'task_stream_init',
      'agent_processing_started',
      'checkpoint_created',
      'response_stream_start',
      'response_chunk',
    ])
    const started = replay.wire[2]!.id!
    const resumed = await chat.follow(taskStream(id), { 'last-event-id': started })
    await resumed.until('response_chunk')
    expect(resumed.wire[1]).toMatchObject({ event: 'response_stream_start' })
    expect(JSON.parse(resumed.wire[0]!.data)).toMatchObject({ last_event_id: started, view: { content: '' } })
    const stranger = await chat.follow(taskStream(id), { 'last-event-id': '999' })
    await stranger.until('task_stream_init')
    expect(stranger.view()?.content).toBe('one two ')
    gate.open()
    for (const reader of [stream, snapshot, replay, resumed, stranger]) {
      await reader.ended
      expect(reader.view()).toMatchObject({ content: 'one two three', status: 'completed' })
    }
  })

  it('serves the latest run and closes when none is active; sends init for a session without runs [SV-18]', async () => {
    const id = await chat.aSession()
    const empty = await chat.follow(taskStream(id))
    await empty.ended
    expect(empty.wire.map(({ event }) => event)).toEqual(['task_stream_init'])
    expect(empty.view()).toBeNull()
    chat.model.reply([says(...words)])
    await (await chat.ask(id, 'Go')).ended
    for (const chunks of ['', '?include_chunks=true']) {
      const stream = await chat.follow(taskStream(id) + chunks)
      await stream.ended
      expect(stream.view()).toMatchObject({ content: text, status: 'completed' })
      expect(stream.wire.at(-1)?.event).toBe('agent_processing_complete')
      expect(stream.wire.some(({ event }) => event === 'response_chunk')).toBe(chunks !== '')
    }
  })

  it('drops the chunks 24 hours after the end but keeps the reply [ST-30]', async () => {
    const id = await chat.aSession()
    await (await chat.ask(id, 'Go')).ended
    const { db } = chat.app.deps
    await chat.app.deps.engine.events.sentFrames.flush()
    const stored = () => db.selectFrom('run_events').select('run_id').where('session_id', '=', id).execute()
    const later = (hours: number) => ({ db, clock: { now: () => new Date(Date.now() + hours * 3_600_000) } })
    await removeOldEvents(later(23))
    expect(await stored()).not.toEqual([])
    await removeOldEvents(later(25))
    expect(await stored()).toEqual([])
    const stream = await chat.follow(`${taskStream(id)}?include_chunks=true`)
    await stream.ended
    expect(stream.view()).toMatchObject({ content: 'Hello from the scripted model.', status: 'completed' })
  })

  it('splits events over 32 KB and gives only the last piece an id [ST-20]', async () => {
    const id = await chat.aSession()
    const long = 'long "text" é 😀 '.repeat(5000)
    chat.model.reply([says(long)])
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    const pieces = stream.wire.filter(({ event }) => event === 'response_chunk_delta_sse')
    expect(pieces.length).toBeGreaterThan(2)
    expect(JSON.parse(pieces[0]!.data)).toMatchObject({
      chunk_index: 0,
      total_chunks: pieces.length,
      original_event_type: 'response_chunk',
    })
    expect(pieces.slice(0, -1).every((piece) => piece.id === null)).toBe(true)
    expect(pieces.at(-1)?.id).not.toBeNull()
    expect(stream.view()?.content).toBe(long)
    const again = await chat.follow(taskStream(id))
    await again.ended
    expect(again.wire[0]?.event).toBe('task_stream_init_delta_sse')
    expect(again.view()?.content).toBe(long)
  })

  it('continues the same text after a tool call [ST-09]', async () => {
    const id = await chat.aSession()
    chat.model.reply(
      [says('I calculate.'), calls('calculator', { a: 1, b: 2, operation: 'add' })],
      [says('It is 3.')],
    )
    const stream = await chat.ask(id, 'Go')
    await stream.ended
    expect(stream.view()?.content).toBe('I calculate.\n\nIt is 3.')
    expect(stream.wire.filter(({ event }) => event === 'response_stream_start')).toHaveLength(2)
    const types = stream.view()?.blocks.map(({ type }) => type)
    expect(types?.filter((type) => type !== 'checkpoint')).toEqual(['text', 'tool', 'text'])
  })

  it('sends a ping without an id every 15 s [ST-05]', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true })
    const id = await chat.aSession()
    const stream = await chat.follow(`/sessions/${id}/events`)
    await stream.until('connection_established')
    expect(stream.wire.map(({ event }) => event)).not.toContain('ping')
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await stream.until('ping')).toMatchObject({ id: null })
    stream.leave()
  })

  it('closes with an unauthorized event when the token ends [ST-29]', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'], shouldAdvanceTime: true })
    const id = await chat.aSession()
    const stream = await chat.follow(`/sessions/${id}/events`)
    await stream.until('connection_established')
    const { db } = chat.app.deps
    const tokens = await db
      .selectFrom('access_tokens')
      .selectAll()
      .where('user_id', '=', chat.user.id)
      .execute()
    await vi.advanceTimersByTimeAsync(61_000)
    expect(stream.wire.map(({ event }) => event)).not.toContain('unauthorized')
    await db.deleteFrom('access_tokens').where('user_id', '=', chat.user.id).execute()
    await vi.advanceTimersByTimeAsync(61_000)
    await stream.until('unauthorized')
    await stream.ended
    await db.insertInto('access_tokens').values(tokens).execute()
  })
})
