import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { openStream } from '#tests/event-stream.ts'
import { says, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'
import { endRun } from './context/live-run.ts'

let chat: Chat
let other: TestApp
let otherUrl: string
beforeAll(async () => {
  chat = await startChat()
  other = await startApp({ address: chat.app.address, config: { ATRIUM_COMPATIBLE_URL: chat.model.url } })
  otherUrl = `${await other.listen()}/api/v1`
})
afterAll(async () => {
  await other.close()
  await chat.close()
})

const elsewhere = (path: string, headers = {}) =>
  openStream(otherUrl + path, { headers: { ...chat.user.headers, ...headers } })

describe('two processes', () => {
  it('let a reader of one follow a run of the other from the store [ST-30, SE-19]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one ', 'two '), waits(gate.opened), says('three ', 'four')])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    await vi.waitFor(() => expect(stream.view()?.content).toBe('one two '))
    await chat.app.deps.engine.events.sentFrames.flush()
    const far = await elsewhere(`/sessions/${id}/task-stream`)
    await far.until('task_stream_init')
    expect(far.view()?.content).toBe('one two ')
    gate.open()
    await Promise.all([stream.ended, far.ended])
    expect(far.view()).toEqual(stream.view())
    const back = await elsewhere(`/sessions/${id}/task-stream`, { 'last-event-id': far.events[0]!.id! })
    await back.ended
    expect(back.view()).toMatchObject({ content: 'one two three four', status: 'completed' })
  })

  it("resume each other's released runs, with the same text for every reader [R-13]", async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply(
      [says('lost ', 'words '), waits(gate.opened), says('never')],
      [says('the ', 'whole ', 'answer')],
    )
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    const { engine } = chat.app.deps
    const runId = stream.view()!.run_id
    const far = await elsewhere(`/sessions/${id}/task-stream`)
    await far.until('task_stream_init')
    // Simulates a process that slept: it no longer owns the run in the database.
    endRun(engine.live.get(runId)!, 'lost')
    await chat.app.deps.db.updateTable('runs').set({ owner: null }).where('id', '=', runId).execute()
    await Promise.all([far.ended])
    gate.open()
    expect(far.view()).toMatchObject({ content: 'the whole answer', status: 'completed' })
    const { run, reply } = await readRun(chat.app, runId)
    expect(reply.content).toBe('the whole answer')
    expect(run).toMatchObject({ attempt: 2, epoch: 2 })
    const late = await chat.follow(`/sessions/${id}/task-stream?include_chunks=true`)
    await late.ended
    expect(late.view()?.content).toBe('the whole answer')
    expect(JSON.stringify(late.wire)).not.toContain('lost')
    // An id of a past epoch gets a snapshot instead of a gap.
    const old = await chat.follow(`/sessions/${id}/task-stream`, { 'last-event-id': String(1e9 + 3) })
    await old.ended
    expect(old.view()?.content).toBe('the whole answer')
    stream.leave()
  })

  it('hide events of a lost attempt from a reader that reconnects to the session [ST-31, R-13]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('lost ', 'words '), waits(gate.opened), says('never')], [says('the whole answer')])
    const stream = await chat.ask(id, 'Go')
    const started = await stream.until('response_stream_start')
    await stream.until('response_chunk')
    // Opening a stream first stores everything sent so far.
    const first = await chat.follow(`/sessions/${id}/events`)
    await first.until('connection_established')
    first.leave()
    const { engine } = chat.app.deps
    const runId = stream.view()!.run_id
    endRun(engine.live.get(runId)!, 'lost')
    await chat.app.deps.db.updateTable('runs').set({ owner: null }).where('id', '=', runId).execute()
    await stream.ended
    gate.open()
    for (const open of [chat.follow, elsewhere]) {
      const events = await open(`/sessions/${id}/events`, { 'last-event-id': started.id! })
      // The reader gets the events after its id, or a snapshot, whatever was stored of the lost attempt.
      const whole = { content: 'the whole answer', status: 'completed' }
      await vi.waitFor(() => expect(events.view()).toMatchObject(whole), 10_000)
      expect(JSON.stringify(events.wire)).not.toContain('lost')
      events.leave()
    }
  })

  it('show the text of a lost attempt until the resumed run says something', async () => {
    const id = await chat.aSession()
    const [lost, resumed] = [aGate(), aGate()]
    chat.model.reply(
      [says('lost ', 'words '), waits(lost.opened), says('never')],
      [waits(resumed.opened), says('the answer')],
    )
    const stream = await chat.ask(id, 'Go')
    await vi.waitFor(() => expect(stream.view()?.content).toBe('lost words '), 10_000)
    const { engine } = chat.app.deps
    await engine.events.sentFrames.flush()
    const runId = stream.view()!.run_id
    endRun(engine.live.get(runId)!, 'lost')
    lost.open()
    const shown = { content: 'lost words ', status: 'streaming', is_interrupted: true }
    for (const open of [chat.follow, elsewhere]) {
      await vi.waitFor(async () => {
        const late = await open(`/sessions/${id}/task-stream`)
        await late.until('task_stream_init')
        late.leave()
        expect(late.view()).toMatchObject(shown)
      }, 10_000)
    }
    expect((await readRun(chat.app, runId)).run.attempt).toBe(2)
    const late = await chat.follow(`/sessions/${id}/task-stream`)
    await late.until('task_stream_init')
    resumed.open()
    await Promise.all([late.ended, stream.ended])
    for (const { view } of [late, stream]) {
      expect(view()).toMatchObject({ content: 'the answer', status: 'completed' })
      expect(view()).not.toHaveProperty('is_interrupted')
    }
    expect((await readRun(chat.app, runId)).reply.content).toBe('the answer')
  })

  it('restart readers of the resuming process with task_stream_init [R-13]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('lost ', 'words '), waits(gate.opened), says('never')], [says('the answer')])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    const { engine } = chat.app.deps
    endRun(engine.live.get(stream.view()!.run_id)!, 'lost')
    await stream.ended
    gate.open()
    expect(stream.view()).toMatchObject({ content: 'the answer', status: 'completed' })
    expect(stream.wire.filter(({ event }) => event === 'task_stream_init').length).toBeGreaterThan(1)
  })
})
