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

describe('start of a reply', () => {
  const base = {
    ...{ run_id: 'run', session_id: 'session', message_id: 'reply', user_message_id: 'question' },
    ...{ agent_type: 'multi_turn', model_name: 'atrium/offline', status: 'streaming', stopped: false },
    ...{ content: '', blocks: [], progress: null },
  }

  it('starts empty and names its assistant', () => {
    expect(fold()).toEqual(base)
    const assistant = { id: 'a', name: 'Ada' }
    expect(applyEvent(null, { ...started, assistant } as RunEvent)).toEqual({ ...base, assistant })
    expect(applyEvent(null, { ...started, run_id: null })).toEqual({ ...base, run_id: '' })
  })

  it('replaces the view of another message', () => {
    const other = { ...started, message_id: 'other' } as RunEvent
    expect(applyEvent(fold(chunk('a')), other)).toEqual({ ...base, message_id: 'other' })
  })
})

describe('paused run', () => {
  it('shows the checkpoint, the reason and the step once', () => {
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

  it('removes the pause when the run resumes or ends', () => {
    const paused = fold(chunk('a'), pause())
    expect(applyEvent(paused, resume)).toEqual(fold(chunk('a')))
    expect(typesOf(applyEvent(paused, complete())!)).toEqual(['text'])
    expect(typesOf(applyEvent(paused, fail('No'))!)).toEqual(['text', 'error'])
  })

  it('resumes from a question that is closed, and ignores a resume of a running view', () => {
    const asked = fold(ask('a'))
    const after = applyEvent(asked, resume)!
    expect(after.status).toBe('streaming')
    expect(after.blocks).toBe(asked.blocks)
    const running = fold(chunk('a'))
    expect(applyEvent(running, resume)).toBe(running)
  })
})

describe('input request', () => {
  it('carries every detail of the request and adds none', () => {
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

  it('gives an answer once, to the newest waiting request of that name', () => {
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

  it('does not repeat a waiting request', () => {
    const waiting = fold(ask('a'))
    expect(applyEvent(waiting, ask('a'))).toBe(waiting)
    const answered = fold(ask('a'), answer('a', 'x'))
    expect(applyEvent(answered, ask('a'))).toBe(answered)
    expect(fold(ask('a', '1'), ask('a', '2')).blocks).toHaveLength(2)
  })

  it('drops a step-named request when the step itself has asked [ST-14]', () => {
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

describe('end of a reply', () => {
  it('records the usage when it is known', () => {
    expect(fold(complete('reply', false, { usage })).usage).toEqual(usage)
    expect(fold(fail('No', { usage })).usage).toEqual(usage)
    for (const view of [fold(complete()), fold(fail('No'))]) expect(view).not.toHaveProperty('usage')
    expect(fold(complete()).stopped).toBe(false)
  })

  it('closes open blocks and leaves the others unchanged', () => {
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

  it('gives an unfinished call the reason, unless it has one', () => {
    const errorOf = (data: object, end: RunEvent) => fold(tool({ ...data }), end).blocks.at(0)
    expect(errorOf({ status: 'loading' }, fail('Broken'))).toMatchObject({ error: 'Broken' })
    expect(errorOf({ status: 'loading', error: 'Own' }, complete('reply', true))).toMatchObject({
      ...{ status: 'failed', error: 'Own' },
    })
    for (const status of ['complete', 'failed', 'error'])
      expect(errorOf({ status }, complete('reply', true))).toMatchObject({ status, error: null })
  })

  it('shows an error once with all its details', () => {
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

  it('leaves the steps in their state', () => {
    expect(fold(beginStep(1), chunk('a', 1), complete()).blocks[0]).toMatchObject({ completed: false })
  })
})
