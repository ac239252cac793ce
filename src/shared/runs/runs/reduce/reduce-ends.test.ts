import { describe, expect, it } from 'vitest'
import {
  answer,
  ask,
  at,
  beginStep,
  checkpoint,
  chunk,
  complete,
  fail,
  fold,
  say,
  started,
  think,
  tool,
} from '#tests/run-events.ts'
import type { RunEvent, RunEventBody } from '../events.ts'
import { applyEvent } from './reduce.ts'

const usage = {
  ...{ seconds: 3, calls: 1, input_tokens: 10, output_tokens: 5, amount: 0.01 },
  ...{ unpriced: false, estimated: false },
}
const pause = (more: Partial<RunEventBody<'agent_task_paused'>> = {}) =>
  say({ event: 'agent_task_paused', checkpoint_name: 'step2', timestamp: at, ...more })
const resume = say({ event: 'agent_task_resumed', checkpoint_name: 'step2', timestamp: at })
const typesOf = ({ blocks }: ReturnType<typeof fold>) => blocks.map(({ type }) => type)

describe('the beginning of a reply', () => {
  const base = {
    ...{ run_id: 'run', session_id: 'session', message_id: 'reply', user_message_id: 'question' },
    ...{ agent_type: 'multi_turn', model_name: 'atrium/offline', status: 'streaming', stopped: false },
    ...{ content: '', blocks: [], progress: null },
  }

  it('is empty and says who writes it', () => {
    expect(fold()).toEqual(base)
    const assistant = { id: 'a', name: 'Ada' }
    expect(applyEvent(null, { ...started, assistant } as RunEvent)).toEqual({ ...base, assistant })
    expect(applyEvent(null, { ...started, run_id: null })).toEqual({ ...base, run_id: '' })
  })

  it('of another message takes the place of what was there', () => {
    const other = { ...started, message_id: 'other' } as RunEvent
    expect(applyEvent(fold(chunk('a')), other)).toEqual({ ...base, message_id: 'other' })
  })
})

describe('a run that stands still', () => {
  it('says at which checkpoint and why, once, and at which step', () => {
    const view = fold(chunk('a'), pause())
    expect(view.status).toBe('paused')
    expect(view.blocks[1]).toEqual({
      ...{ type: 'paused', id: 'paused-1', reason: 'request', checkpoint_name: 'step2', created_at: at },
    })
    expect(applyEvent(view, pause())).toBe(view)
    const budget = { kind: 'user' as const, period: 'day' as const }
    const at_step = { number: 2, begun: true }
    expect(fold(pause({ reason: 'budget', budget, at_step })).blocks[0]).toMatchObject({
      ...{ reason: 'budget', budget, at_step },
    })
  })

  it('goes on without a trace of it, also to its end', () => {
    const paused = fold(chunk('a'), pause())
    expect(applyEvent(paused, resume)).toEqual(fold(chunk('a')))
    expect(typesOf(applyEvent(paused, complete())!)).toEqual(['text'])
    expect(typesOf(applyEvent(paused, fail('No'))!)).toEqual(['text', 'error'])
  })

  it('goes on from a question it need not ask any more, and is unmoved when it runs', () => {
    const asked = fold(ask('a'))
    const after = applyEvent(asked, resume)!
    expect(after.status).toBe('streaming')
    expect(after.blocks).toBe(asked.blocks)
    const running = fold(chunk('a'))
    expect(applyEvent(running, resume)).toBe(running)
  })
})

describe('a request', () => {
  it('carries what was asked with it, and nothing that was not', () => {
    const more = {
      kind: 'approval' as const,
      fields: [{ name: 'a', label: 'A', type: 'text' as const, required: true }],
      tool: { tool_execution_id: 'call', tool_id: 'mail', tool_name: 'Mail' },
      default: { input: 'x', input_type: 'text' },
      skippable: true,
    }
    const bare = {
      ...{ type: 'input_required', id: 'a', checkpoint_name: 'a', prompt: 'Which?', input_types: ['text'] },
      ...{ deadline: null, created_at: at, state: 'waiting', input: null },
    }
    expect(fold(ask('a')).blocks).toEqual([bare])
    expect(fold(ask('a', 'a', more)).blocks).toEqual([{ ...bare, ...more }])
  })

  it('is answered by its name, the newest that waits, once', () => {
    const view = fold(ask('a', '1'), ask('b', '2'), ask('a', '3'), answer('a', 'x'))
    expect(view.status).toBe('streaming')
    expect(view.blocks).toMatchObject([
      { id: '1', state: 'waiting', input: null },
      { id: '2', state: 'waiting' },
      { id: '3', state: 'provided', input: 'x', input_type: 'text' },
    ])
    expect(view.blocks[2]).not.toHaveProperty('answered_at')
    expect(view.blocks[2]).not.toHaveProperty('by_default')
    expect(applyEvent(view, answer('c', 'x'))).toBe(view)
    expect(applyEvent(view, answer('a', 'y'))?.blocks[0]).toMatchObject({ state: 'provided', input: 'y' })
  })

  it('that waits is asked once', () => {
    const waiting = fold(ask('a'))
    expect(applyEvent(waiting, ask('a'))).toBe(waiting)
    const answered = fold(ask('a'), answer('a', 'x'))
    expect(applyEvent(answered, ask('a'))).toBe(answered)
    expect(fold(ask('a', '1'), ask('a', '2')).blocks).toHaveLength(2)
  })

  it('named after a step is not asked beside that of the step itself [ST-14]', () => {
    const asks = (before: RunEvent, name: string) => fold(before, ask(name)).blocks.length
    expect(asks(checkpoint('waiting_for_input_after_step1'), 'step1')).toBe(1)
    expect(asks(checkpoint('waiting_for_input_after_step1'), 'my_step12')).toBe(1)
    expect(asks(checkpoint('waiting_for_input_after_step1'), 'step1_again')).toBe(2)
    expect(asks(checkpoint('waiting_for_input_after_step1'), 'step')).toBe(2)
    expect(asks(checkpoint('waiting_for_input_after_step1'), 'waiting_for_input_step1')).toBe(2)
    expect(asks(checkpoint('waiting_for_input'), 'step1')).toBe(2)
    expect(asks(chunk('waiting_for_input_after_step1'), 'step1')).toBe(2)
  })
})

describe('the end of a reply', () => {
  it('says what it took, where that is known', () => {
    expect(fold(complete('reply', false, { usage })).usage).toEqual(usage)
    expect(fold(fail('No', { usage })).usage).toEqual(usage)
    for (const view of [fold(complete()), fold(fail('No'))]) expect(view).not.toHaveProperty('usage')
    expect(fold(complete()).stopped).toBe(false)
  })

  it('closes what is open and leaves the rest as it was', () => {
    const ended = [tool({ status: 'complete' }, 'done'), ask('a'), answer('a', 'x'), think('b')]
    const open = fold(...ended, ask('c'), tool({ status: 'loading' }, 'open'))
    const view = applyEvent(open, complete())!
    expect(view.blocks[0]).toBe(open.blocks[0])
    expect(view.blocks[1]).toBe(open.blocks[1])
    expect(view.blocks.slice(2)).toMatchObject([
      { type: 'thinking', duration_ms: 0 },
      { id: 'c', state: 'closed' },
      { id: 'open', status: 'failed', error: null },
    ])
    const closed = fold(think('a'), chunk('b'), tool({ status: 'failed' }))
    expect(applyEvent(closed, complete())!.blocks).toBe(closed.blocks)
  })

  it('gives a call that did not end its reason, unless it has one', () => {
    const errorOf = (data: object, end: RunEvent) => fold(tool({ ...data }), end).blocks.at(0)
    expect(errorOf({ status: 'loading' }, fail('Broken'))).toMatchObject({ error: 'Broken' })
    expect(errorOf({ status: 'loading', error: 'Own' }, complete('reply', true))).toMatchObject({
      ...{ status: 'failed', error: 'Own' },
    })
    for (const status of ['complete', 'failed', 'error'])
      expect(errorOf({ status }, complete('reply', true))).toMatchObject({ status, error: null })
  })

  it('with an error says all of it, once', () => {
    const details = { code: 'timeout', traceback: 'trace', step: 'step1' }
    const view = fold(chunk('a'), fail('Broken', { ...details, message_id: 'final' }))
    expect(view).toMatchObject({ message_id: 'final', status: 'error' })
    expect(view.blocks[1]).toEqual({
      ...{ type: 'error', id: 'error-1', error: 'Broken', ...details, timestamp: at },
    })
    expect(applyEvent(view, fail('Broken'))).toBe(view)
    const again = [fail('Other'), fail('Broken', { timestamp: '2026-01-02T00:00:00.000Z' })]
    for (const event of again) expect(typesOf(applyEvent(view, event)!)).toEqual(['text', 'error', 'error'])
    expect(fold(fail('No', { message_id: 'None' })).message_id).toBe('reply')
  })

  it('closes the steps as they are', () => {
    expect(fold(beginStep(1), chunk('a', 1), complete()).blocks[0]).toMatchObject({ completed: false })
  })
})
