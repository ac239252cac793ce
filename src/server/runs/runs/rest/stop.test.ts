import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp } from '#tests/app.ts'
import { aGate, type Chat, startChat } from '#tests/chat.ts'
import { calls, hangs, says, waits } from '#tests/model-server.ts'
import { readRun } from '#tests/runs.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

describe('stopping a run', () => {
  it('keeps its partial text and frees the session [SV-91]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('Half an ', 'answer'), hangs()])
    const stream = await chat.ask(id, 'Go')
    await vi.waitFor(() => expect(stream.view()?.content).toBe('Half an answer'), 20_000)
    expect((await chat.call('GET', `/sessions/${id}`)).body).toMatchObject({
      status: 'GENERATING',
      agent_status: 'processing',
      processing_task_id: stream.view()?.run_id,
    })
    expect(await chat.call('POST', `/sessions/${id}/stop`)).toMatchObject({ status: 200 })
    await stream.ended
    expect(stream.view()).toMatchObject({ content: 'Half an answer', stopped: true, status: 'completed' })
    const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
    expect(body.active_branch[1]).toMatchObject({ content: 'Half an answer', status: 'completed' })
    const session = await chat.call('GET', `/sessions/${id}`)
    expect(session.body).toMatchObject({
      status: 'COMPLETED',
      agent_status: 'completed',
      processing_task_id: null,
    })
    const next = await chat.ask(id, 'Again')
    await next.ended
    expect(next.view()?.content).toBe('Hello from the scripted model.')
    const { run } = await readRun(chat.app, stream.view()?.run_id ?? '')
    expect(run.state).toBe('stopped')
  })

  it('books the usage of the stopped call [SV-91]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('Some words that were paid for'), hangs()])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${id}/stop`)
    const entries = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('session_id', '=', id)
      .execute()
    expect(entries).toMatchObject([{ kind: 'usage', estimated: true, step_key: 'model:1' }])
    expect(entries[0]?.output_tokens).toBeGreaterThan(2)
  })

  it('works before the first word, and returns 200 when no run is active [SV-91]', async () => {
    const id = await chat.aSession()
    const { length } = chat.model.requests
    chat.model.reply([hangs()])
    const stream = await chat.ask(id, 'Go')
    while (chat.model.requests.length === length) await sleep(2)
    await chat.call('POST', `/sessions/${id}/stop`)
    await stream.ended
    expect(stream.view()).toMatchObject({ content: '', stopped: true })
    expect((await chat.call('POST', `/sessions/${id}/stop`)).status).toBe(200)
  })

  it('closes the request to the provider [SV-91]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${id}/stop`)
    gate.open()
    await stream.ended
    expect(stream.view()?.content).toBe('one ')
  })

  it('works from another process [SV-91]', async () => {
    const other = await startApp({ address: chat.app.address })
    try {
      const id = await chat.aSession()
      chat.model.reply([says('here'), hangs()])
      const stream = await chat.ask(id, 'Go')
      await stream.until('response_chunk')
      const { headers } = chat.user
      const stopped = await other.http.inject({ method: 'POST', url: `/api/v1/sessions/${id}/stop`, headers })
      expect(stopped.statusCode).toBe(200)
      await stream.ended
      expect(stream.view()).toMatchObject({ content: 'here', stopped: true })
    } finally {
      await other.close()
    }
  })

  it('does not happen when a reader disconnects [ST-26]', async () => {
    const id = await chat.aSession()
    const gate = aGate()
    chat.model.reply([says('one '), waits(gate.opened), says('two')])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    stream.leave()
    await stream.ended
    gate.open()
    const again = await chat.follow(`/sessions/${id}/task-stream`)
    await again.ended
    expect(again.view()).toMatchObject({ content: 'one two', stopped: false, status: 'completed' })
  })

  it('happens before its session is deleted [SV-16]', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('here'), hangs()])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    expect((await chat.call('DELETE', `/sessions/${id}`)).status).toBe(200)
    await stream.ended
    expect(stream.wire.at(-1)?.event).toBe('agent_processing_complete')
    expect((await chat.call('GET', `/sessions/${id}`)).status).toBe(404)
    expect(chat.app.deps.engine.live.size).toBe(0)
  })

  it('closes the cards of tools that had not run [SV-91]', async () => {
    const id = await chat.aSession()
    chat.model.reply([calls('calculator', { a: 1, b: 2, operation: 'add' })], [says('so'), hangs()])
    const stream = await chat.ask(id, 'Go')
    await stream.until('response_chunk')
    await chat.call('POST', `/sessions/${id}/stop`)
    await stream.ended
    expect(stream.view()?.blocks.find(({ type }) => type === 'tool')).toMatchObject({ status: 'complete' })
    const rows = await chat.app.deps.db
      .selectFrom('tool_executions')
      .selectAll()
      .where('session_id', '=', id)
      .execute()
    expect(rows).toMatchObject([{ status: 'complete', result: { result: 3 } }])
  })
})
