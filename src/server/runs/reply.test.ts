import { describe, expect, it } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { Log } from '../log.ts'
import { ModelError } from '../models/port.ts'
import { waitingName } from './context/ask.ts'
import { isPassing } from './context/live-run.ts'
import { LostRunError } from './journal-record.ts'
import { describeFailure, toMessage } from './reply.ts'

describe('a failure', () => {
  const logged: unknown[] = []
  const log = { error: (what: unknown) => logged.push(what) } as unknown as Log

  it('says what was expected as it is, and of the rest nothing but that it was logged', () => {
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

  it('of a model is the provider’s, unless there is no such model', () => {
    const codeOf = (kind: ModelError['kind']) => describeFailure(new ModelError(kind, 'Why.'), log)
    expect(codeOf('not_available')).toEqual({ code: 'not_available', detail: 'Why.' })
    expect(codeOf('timeout')).toEqual({ code: 'provider_failed', detail: 'Why.' })
  })

  it('passes when it says nothing about the run', () => {
    const coded = (code: string) => Object.assign(new Error('x'), { code })
    const passing = [new LostRunError('run'), ...['40001', '40P01', '55P03', '23505'].map(coded)]
    expect(passing.map(isPassing)).toEqual(passing.map(() => true))
    const lasting = [new Error('x'), coded('23503'), coded('x40001'), { code: '40001' }, null]
    expect(lasting.map(isPassing)).toEqual(lasting.map(() => false))
  })
})

describe('a question', () => {
  it('waits at a name that says so, in its own scope', () => {
    expect(waitingName('price')).toBe('waiting_for_input_price')
    expect(waitingName('step1/price')).toBe('step1/waiting_for_input_price')
    for (const name of ['waiting_for_input', 'step1/waiting_for_input_x'])
      expect(waitingName(name)).toBe(name)
    expect(waitingName('waiting_for_input/price')).toBe('waiting_for_input/waiting_for_input_price')
  })
})

describe('a message', () => {
  it('goes over the wire without what is the models’ and the database’s business', () => {
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
