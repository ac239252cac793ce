import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#shared/platform/errors.ts'
import { type Chat, startChat } from '#tests/chat.ts'
import { cuts, fails, garbage, type Move, says } from '#tests/model-server.ts'
import { ModelError } from '../../models/models/port.ts'
import type { Log } from '../../platform/log.ts'
import { waitingName } from './context/ask.ts'
import { isPassing } from './context/live-run.ts'
import { LostRunError } from './journal/journal-record.ts'
import { describeFailure, toMessage } from './reply.ts'

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

describe('a provider failure', () => {
  it.each(cases)(
    '%s yields one sentence, an error event and the partial text [ST-18, ST-27]',
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

  it('books a failed call as absorbed [ST-18]', async () => {
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

describe('describeFailure', () => {
  const logged: unknown[] = []
  const log = { error: (what: unknown) => logged.push(what) } as unknown as Log

  it('returns expected errors as they are and hides the details of others', () => {
    const refused = new AppError('insufficient_balance', 'Nothing is left.')
    expect(describeFailure(refused, log)).toEqual({
      ...{ code: 'insufficient_balance', detail: 'Nothing is left.' },
    })
    expect(logged).toEqual([])
    const error = new Error('secret')
    expect(describeFailure(error, log)).toEqual({
      ...{ code: 'broken', detail: 'Something went wrong on the server.' },
    })
    expect(logged).toEqual([{ error }])
  })

  it('blames the provider for a model error, unless the model does not exist', () => {
    const codeOf = (kind: ModelError['kind']) => describeFailure(new ModelError(kind, 'Why.'), log)
    expect(codeOf('not_available')).toMatchObject({ code: 'not_available', detail: 'Why.' })
    expect(codeOf('timeout')).toEqual({
      ...{ code: 'provider_failed', detail: 'Why.', refusal: { kind: 'timeout' } },
    })
  })

  it('treats errors that say nothing about the run as transient', () => {
    const coded = (code: string) => Object.assign(new Error('x'), { code })
    const passing = [new LostRunError('run'), ...['40001', '40P01', '55P03', '23505'].map(coded)]
    expect(passing.map(isPassing)).toEqual(passing.map(() => true))
    const lasting = [new Error('x'), coded('23503'), coded('x40001'), { code: '40001' }, null]
    expect(lasting.map(isPassing)).toEqual(lasting.map(() => false))
  })
})

describe('a waiting position', () => {
  it('is named after its question and its scope', () => {
    expect(waitingName('price')).toBe('waiting_for_input_price')
    expect(waitingName('step1/price')).toBe('step1/waiting_for_input_price')
    for (const name of ['waiting_for_input', 'step1/waiting_for_input_x'])
      expect(waitingName(name)).toBe(name)
    expect(waitingName('waiting_for_input/price')).toBe('waiting_for_input/waiting_for_input_price')
  })
})

describe('a message on the wire', () => {
  it('omits fields meant for models and the database', () => {
    const row = {
      ...{ id: 'm', client_id: null, parent_id: null, role: 'user' as const, agent_type: null },
      ...{ model_name: null, content: 'Hi', blocks: [], status: 'completed', is_modified: false },
    }
    const stored = { bytes: 9, session_id: 's', created_at: new Date(0), metadata: { a: 1, summary: 'x' } }
    expect(toMessage({ ...row, ...stored })).toEqual({
      ...{ ...row, chat_session_id: 's', created_at: '1970-01-01T00:00:00.000Z', metadata: { a: 1 } },
    })
  })
})
