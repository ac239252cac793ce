import { describe, expect, it } from 'vitest'
import { at, chunk, endText, say, think } from '#tests/run-events.ts'
import { endsStream, type RunEvent, type RunEventBody } from './events.ts'
import { appendEvent, mergeEvents } from './merge.ts'

const later = '2026-01-01T00:00:02.000Z'
const partial = (content: string | undefined, more: Partial<RunEventBody<'tool_partial_update'>> = {}) =>
  say({ event: 'tool_partial_update', tool_execution_id: 'call', content, ...more })

describe('mergeEvents', () => {
  it('merges a delta with the one it continues', () => {
    expect(mergeEvents(chunk('a'), chunk('b'))).toEqual(chunk('ab'))
    expect(mergeEvents(think('a'), think('b', later))).toEqual({ ...think('ab'), until: later })
    const upTo = { ...think('b', at), until: later } as RunEvent
    expect(mergeEvents(think('a'), upTo)).toEqual({ ...think('ab'), until: later })
    expect(mergeEvents(partial('a'), partial('b'))).toEqual(partial('ab'))
  })

  it('does not merge events of different runs, steps, attempts or kinds', () => {
    const other: Partial<RunEvent>[] = [{ run_id: 'other' }, { step_key: 'other' }, { attempt: 2 }]
    for (const more of other)
      expect(mergeEvents(chunk('a'), { ...chunk('b'), ...more } as RunEvent)).toBeNull()
    expect(mergeEvents(chunk('a'), think('b'))).toBeNull()
    expect(mergeEvents(think('a'), chunk('b'))).toBeNull()
    expect(mergeEvents(endText(), endText())).toBeNull()
  })

  it('does not merge events of different calls, or a text with another value', () => {
    const elsewhere = partial('b', { tool_execution_id: 'other' })
    const picture = partial('b', { url: 'a.png' })
    for (const second of [elsewhere, picture, partial(undefined)]) {
      expect(mergeEvents(partial('a'), second)).toBeNull()
      expect(mergeEvents(second, partial('a'))).toBeNull()
    }
  })

  it('makes the list of events as short as possible', () => {
    const events: RunEvent[] = []
    for (const event of [chunk('a'), chunk('b'), endText(), chunk('c')]) appendEvent(events, event)
    expect(events).toEqual([chunk('ab'), endText(), chunk('c')])
  })
})

describe('endsStream', () => {
  const named = (event: string, more = {}) => endsStream({ event, ...more } as RunEvent)

  it('closes the stream when the run stops, unless another question follows', () => {
    const last = ['agent_processing_complete', 'agent_processing_error', 'agent_task_paused', 'completed']
    for (const event of [...last, 'input_required']) expect(named(event)).toBe(true)
    expect(named('input_required', { more: false })).toBe(true)
    expect(named('input_required', { more: true })).toBe(false)
    expect(named('agent_task_paused', { more: true })).toBe(true)
    for (const event of ['response_chunk', 'input_received', 'agent_task_resumed'])
      expect(named(event)).toBe(false)
  })
})
