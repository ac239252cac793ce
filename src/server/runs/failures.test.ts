import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chat, startChat } from '../../../tests/support/chat.ts'
import { cuts, fails, garbage, type Move, says } from '../../../tests/support/model-server.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
afterAll(() => chat.close())

const cases: [name: string, script: Move[], kept: string][] = [
  ['refuses the key (401)', [fails(401)], ''],
  ['is asked too often (429)', [fails(429, 'slow down', 0)], ''],
  ['breaks (500)', [fails(500)], ''],
  ['sends what is no answer', [garbage()], ''],
  ['ends in the middle', [says('Half an ', 'answer'), cuts()], 'Half an answer'],
  ['says nothing at all', [], ''],
]

describe('when the provider', () => {
  it.each(cases)(
    'ST-18 ST-27 %s: one sentence, an error event, the text is kept',
    async (_, script, kept) => {
      const id = await chat.aSession()
      chat.model.always(script)
      const stream = await chat.ask(id, 'Go')
      await stream.ended
      const last = stream.events.at(-1)?.event
      if (last?.event !== 'agent_processing_error') throw new Error(`it ended with ${last?.event}`)
      expect(last.error).toMatch(/^[A-Z][^\n]{15,250}$/)
      expect(last.error).not.toMatch(/undefined|\bat \/|Error:|stack/)
      expect(last).toMatchObject({ code: 'provider_failed', traceback: null })
      expect(stream.view()).toMatchObject({ status: 'error', content: kept })
      const { body } = await chat.call('GET', `/sessions/${id}/active-branch`)
      expect(body.active_branch[1]).toMatchObject({ status: 'error', content: kept })
      expect(body.active_branch[1].blocks.at(-1)).toMatchObject({ type: 'error', error: last.error })
      const session = await chat.call('GET', `/sessions/${id}`)
      expect(session.body).toMatchObject({
        status: 'FAILED',
        agent_status: 'error',
        processing_task_id: null,
      })
      chat.model.always([says('Better now.')])
      const question = body.active_branch[0].id
      const retry = await chat.follow(`/sessions/${id}/task-stream`)
      await retry.ended
      expect(retry.view()).toMatchObject({ status: 'error', content: kept })
      const again = await chat.call('POST', `/sessions/${id}/messages`, {
        content: 'Again',
        parent_id: question,
      })
      expect(again.status).toBe(201)
    },
    40_000,
  )

  it('ST-18 books a failed call as absorbed', async () => {
    const id = await chat.aSession()
    chat.model.reply([says('Half an ', 'answer'), cuts()])
    await (await chat.ask(id, 'Go')).ended
    const entries = await chat.app.deps.db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('session_id', '=', id)
      .execute()
    expect(entries).toMatchObject([{ kind: 'absorbed', amount: 0, estimated: true }])
  })
})
