import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { says, waits } from '#tests/model-server.ts'
import { toJson } from '../../platform/db/db.ts'
import { firstId } from '../events/frames.ts'
import { follow } from './follow.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({
    model: { tokensPerSecond: 400 },
    app: { config: { ATRIUM_LIMIT_STREAMS_PER_USER: '1000' } },
  })
})
afterAll(() => chat.close())

const taskStream = (id: string) => `/sessions/${id}/task-stream`

describe('a reconnecting reader', () => {
  it('gets every character once with an unknown id while text is streaming', async () => {
    const id = await chat.aSession()
    const words = Array.from({ length: 600 }, (_, index) => `word${index} `)
    chat.model.reply([says(...words)])
    const first = await chat.ask(id, 'Go')
    await first.until('response_chunk')
    const readers = [first]
    while (!first.events.some(({ event }) => event.event === 'agent_processing_complete')) {
      readers.push(await chat.follow(taskStream(id), { 'last-event-id': '999' }))
      await new Promise((resolve) => setTimeout(resolve, 7))
    }
    expect(readers.length).toBeGreaterThan(20)
    for (const reader of readers) {
      await reader.ended
      expect(reader.view()).toMatchObject({ content: words.join(''), status: 'completed' })
    }
  })

  it('resumes mid-run when the backlog spans several reads', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('a live end'), waits(gate.opened)])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    const { db } = chat.app.deps
    const { engine } = chat.app.deps
    await engine.events.sentFrames.flush()
    const run = [...engine.live.values()].find(({ sessionId }) => sessionId === id)!
    const before = run.publisher.lastId
    // Simulates ten minutes of output.
    const origin = { run_id: run.id, step_key: 'answer', attempt: 1 }
    const rows = Array.from({ length: 6_000 }, (_, index) => ({
      run_id: run.id,
      session_id: id,
      first_id: before + 1000 + index,
      last_id: before + 1000 + index,
      events: toJson([[before + 1000 + index, 'response_chunk', { ...origin, content: `later${index} ` }]]),
    }))
    for (let at = 0; at < rows.length; at += 1000) {
      await db
        .insertInto('run_events')
        .values(rows.slice(at, at + 1000))
        .execute()
    }
    const after = rows.at(-3)!.last_id
    const back = await chat.follow(taskStream(id), { 'last-event-id': String(after) })
    await back.until('response_chunk')
    expect(back.events[0]?.event).toMatchObject({ event: 'task_stream_init', last_event_id: String(after) })
    expect(back.view()?.content.endsWith('later5998 later5999 ')).toBe(true)
    back.leave()
    gate.open()
    await stream.ended
  })
})

describe('readers on another process', () => {
  it('of one session do not wait for reads that readers of another session need', async () => {
    const { db, streams } = chat.app.deps
    const [young, long, old] = [await aRun(), await aRun(), await aRun()]
    await say(long, 2, 2_500)
    const heard: number[] = []
    const leave = [
      follow(streams, { ...young, after: firstId(1) }, { event: () => undefined }),
      follow(streams, { ...long, after: firstId(2) + 2_500 }, { event: () => undefined }),
      follow(streams, { ...old, after: firstId(40) }, { event: ({ id }) => heard.push(id) }),
    ]
    await say(old, 40, 3)
    await expect.poll(() => heard, { timeout: 3_000 }).toHaveLength(3)
    for (const end of leave) end()

    async function aRun() {
      const sessionId = await chat.aSession()
      const stream = await chat.ask(sessionId, 'Hi')
      await stream.ended
      const { id: runId } = await db
        .selectFrom('runs')
        .select('id')
        .where('session_id', '=', sessionId)
        .executeTakeFirstOrThrow()
      await chat.app.deps.engine.events.sentFrames.flush()
      await db.deleteFrom('run_events').where('run_id', '=', runId).execute()
      return { sessionId, runId }
    }
    async function say(
      { sessionId, runId }: { sessionId: string; runId: string },
      epoch: number,
      count: number,
    ) {
      const rows = Array.from({ length: count }, (_, index) => {
        const id = firstId(epoch) + index + 1
        const fields = { run_id: runId, step_key: 'answer', attempt: 1, content: 'x' }
        const events = toJson([[id, 'response_chunk', fields]])
        return { run_id: runId, session_id: sessionId, first_id: id, last_id: id, events }
      })
      await db.insertInto('run_events').values(rows).execute()
    }
  })
})
