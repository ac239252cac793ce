import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, at, checkpoint, chunk, complete, fold, say, started, think, tool } from '#tests/run-events.ts'
import type { RunEvent } from '../events.ts'
import { appendEvent } from '../merge.ts'
import { applyEvent, foldEvents } from './reduce.ts'

const compact = (events: RunEvent[]) => {
  const short: RunEvent[] = []
  for (const event of events) appendEvent(short, event)
  return short
}

const anyEvent = fc.oneof(
  { weight: 6, arbitrary: fc.string().map((text) => chunk(text)) },
  { weight: 2, arbitrary: fc.string().map((text) => think(text)) },
  fc.constantFrom(
    tool({ status: 'pending' }),
    tool({ status: 'complete', result: 42 }),
    checkpoint('step1'),
    ask('waiting_for_input_after_step1'),
    say({ event: 'response_stream_start', message_id: 'reply' }),
    say({ event: 'response_stream_end', message_id: 'reply' }),
    say({ event: 'response_stream_end', message_id: 'reply', is_cut: true }),
    say({ event: 'agent_step_started', number: 1, description: 'look', single_step: false }),
    say({ event: 'agent_step_completed', number: 1 }),
  ),
)

describe('applyEvent', () => {
  it('folds every split and every merge of a stream to the same view [ST-10]', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), fc.nat(7), (events, size) => {
        const split = events.flatMap((event) =>
          event.event === 'response_chunk'
            ? pieces(event.content, size + 1).map((text) => chunk(text))
            : [event],
        )
        const whole = fold(...events)
        expect(fold(...split)).toEqual(whole)
        expect(fold(...compact(events))).toEqual(whole)
        expect(fold(...compact(split))).toEqual(whole)
        const texts = whole.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
        expect(texts.join('')).toBe(whole.content)
      }),
    )
  })

  it('keeps the identity of untouched blocks [ST-10]', () => {
    const before = fold(tool({ status: 'pending' }), chunk('a'))
    const after = applyEvent(before, chunk('b'))!
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(before.content).toBe('a')
    expect(after.content).toBe('ab')
  })

  it('replaces the whole view on task_stream_init [ST-03]', () => {
    const snapshot = fold(chunk('recovered'))
    const init = say({
      event: 'task_stream_init',
      session_id: 'session',
      view: snapshot,
      user_message: null,
      last_event_id: '5',
    })
    expect(applyEvent(fold(chunk('a lost attempt')), init)).toEqual(snapshot)
    expect(applyEvent(null, init)).toEqual(snapshot)
  })

  it('starts a view once and ignores unknown events [ST-05, ST-06]', () => {
    const view = fold(chunk('x'))
    expect(applyEvent(view, started)).toBe(view)
    expect(applyEvent(view, { event: 'ping' } as never)).toBe(view)
    expect(applyEvent(null, chunk('x'))).toBeNull()
  })

  it('shows that a run has no worker until its next event', () => {
    const delayed = say({ event: 'agent_delayed', reason: 'no_worker', timestamp: at })
    expect(fold(chunk('Half'), delayed)).toEqual({ ...fold(chunk('Half')), delay: 'no_worker' })
    expect(fold(delayed, started)).toEqual(fold())
    expect(fold(delayed, chunk('Half'))).toEqual(fold(chunk('Half')))
  })

  it('continues the text on a second response_stream_start [ST-09]', () => {
    const start = say({ event: 'response_stream_start', message_id: 'reply' })
    const end = say({ event: 'response_stream_end', message_id: 'reply' })
    expect(fold(start, chunk('one '), end, start, chunk('two'), end).content).toBe('one two')
  })

  it('marks a text that reached the output limit, and clears the mark when it continues', () => {
    const end = say({ event: 'response_stream_end', message_id: 'reply' })
    const cut = say({ event: 'response_stream_end', message_id: 'reply', is_cut: true })
    expect(fold(chunk('one '), cut).blocks).toEqual([
      { type: 'text', id: 'text-0', text: 'one ', is_cut: true },
    ])
    expect(fold(chunk('one '), cut, chunk('two'), end).blocks).toEqual([
      { type: 'text', id: 'text-0', text: 'one two' },
    ])
  })

  it('measures a step from start to end when both times are known [BL-01]', () => {
    const begin = {
      ...say({ event: 'agent_step_started', number: 1, description: 'read', single_step: false }),
    }
    const end = say({ event: 'agent_step_completed', number: 1, timestamp: '2026-01-01T10:00:14.500Z' })
    const dated = { ...begin, timestamp: '2026-01-01T10:00:00.000Z' } as RunEvent
    expect(fold(dated, end).blocks).toMatchObject([{ completed: true, duration_ms: 14_500 }])
    expect(fold(begin, end).blocks[0]).not.toHaveProperty('duration_ms')
  })

  it('opens, updates and closes a step [ST-07]', () => {
    const view = fold(
      say({ event: 'agent_step_started', number: 2, description: 'read', single_step: true }),
      say({ event: 'agent_step_progress', number: 2, progress: 0.5, message: 'half' }),
      say({ event: 'agent_step_completed', number: 2 }),
    )
    expect(view.blocks).toMatchObject([
      {
        type: 'step',
        number: 2,
        description: 'read',
        single_step: true,
        completed: true,
        progress: 0.5,
        message: 'half',
      },
    ])
  })

  it('stores the overall progress [ST-08]', () => {
    expect(fold(say({ event: 'agent_progress', progress: 0.25, step_name: 'read' })).progress).toEqual({
      progress: 0.25,
      step_name: 'read',
    })
  })

  it('ignores a repeated checkpoint, request or answer [ST-12, ST-13, ST-15]', () => {
    const received = say({
      event: 'input_received',
      checkpoint_name: 'waiting_for_input',
      input: 'blue',
      input_type: 'text',
    })
    const view = fold(
      checkpoint('step1'),
      checkpoint('step1'),
      ask('waiting_for_input'),
      ask('waiting_for_input'),
      received,
      received,
    )
    expect(view.blocks.map((block) => block.type)).toEqual(['checkpoint', 'input_required'])
    expect(view.blocks[1]).toMatchObject({ state: 'provided', input: 'blue' })
    expect(view.status).toBe('streaming')
    expect(fold(ask('waiting_for_input')).status).toBe('waiting')
  })

  it('repeats open requests when a run pauses again, and closes them at its end [ST-13, ST-15]', () => {
    const received = say({
      ...{ event: 'input_received', checkpoint_name: 'b', input: 1, input_type: 'json' },
      ...{ answered_at: at, by_default: true },
    })
    const half = fold(ask('a'), ask('b'), received)
    expect(half.status).toBe('streaming')
    expect(half.blocks[1]).toMatchObject({ input_type: 'json', answered_at: at, by_default: true })
    const again = foldEvents(half, [ask('a')])!
    expect(again).toMatchObject({ status: 'waiting', blocks: half.blocks })
    expect(foldEvents(again, [complete('reply', true)])?.blocks).toMatchObject([
      { state: 'closed' },
      { state: 'provided' },
    ])
  })

  it('skips a step-named request once waiting_for_input_after_step exists [ST-14]', () => {
    const asked = ask('waiting_for_input_after_step1')
    expect(fold(asked, ask('step2')).blocks).toHaveLength(1)
    expect(fold(asked, ask('waiting_for_input_after_step2')).blocks).toHaveLength(2)
    expect(fold(ask('step2')).blocks).toHaveLength(1)
  })

  it('uses the final id, except None [ST-17]', () => {
    expect(fold(complete('final'))).toMatchObject({ message_id: 'final', status: 'completed' })
    expect(fold(complete('None')).message_id).toBe('reply')
    expect(fold(complete('')).message_id).toBe('reply')
  })

  it('keeps the text of a stopped run and closes open blocks [SV-91]', () => {
    const view = fold(chunk('so far'), tool({ status: 'loading' }), complete('reply', true))
    expect(view).toMatchObject({ content: 'so far', stopped: true, status: 'completed' })
    expect(view.blocks[1]).toMatchObject({ type: 'tool', status: 'failed', error: 'Stopped' })
  })

  it('puts an error after the last checkpoint, or at the end [ST-18]', () => {
    const error = say({
      event: 'agent_processing_error',
      message_id: 'reply',
      error: 'Broken',
      code: null,
      traceback: null,
      step: null,
      timestamp: at,
    })
    expect(fold(chunk('a'), error, error).blocks.map(({ type }) => type)).toEqual(['text', 'error'])
    expect(fold(checkpoint('c'), chunk('a'), error).blocks.map(({ type }) => type)).toEqual([
      'checkpoint',
      'error',
      'text',
    ])
    expect(fold(chunk('a'), error)).toMatchObject({ status: 'error', content: 'a' })
  })

  it('updates a tool through its phases, partial text and result [ST-19]', () => {
    const partial = (content: string) =>
      say({ event: 'tool_partial_update', tool_execution_id: 'call', content })
    const picture = (url: string) =>
      say({ event: 'tool_partial_update', tool_execution_id: 'call', url, partial_image_index: 0 })
    const view = fold(
      tool({ status: 'pending', input: { a: 1 } }),
      tool({ phase: 'search', status: 'complete', message: 'found' }),
      partial('he'),
      partial('llo'),
      picture('one.png'),
      picture('two.png'),
      tool({ status: 'complete', result: { ok: true } }),
    )
    expect(view.blocks).toMatchObject([
      { status: 'complete', input: { a: 1 }, result: { ok: true }, error: null },
    ])
    const [block] = view.blocks
    const data = block?.type === 'tool' ? block.events.map((event) => event.data) : []
    expect(data).toContainEqual({ content: 'hello' })
    expect(data).toContainEqual({ url: 'two.png', partial_image_index: 0 })
    expect(data).not.toContainEqual({ url: 'one.png', partial_image_index: 0 })
  })

  it('merges thoughts into one block with a duration [ST-32]', () => {
    const view = fold(think('hm'), think('m', '2026-01-01T00:00:01.500Z'), chunk('so'))
    expect(view.blocks[0]).toMatchObject({ type: 'thinking', text: 'hmm', duration_ms: 1500 })
    expect(fold(think('hm')).blocks[0]).toMatchObject({ duration_ms: null })
  })

  it('ends a thought when its step reports text or completes [BL-04]', () => {
    const begin = say({ event: 'agent_step_started', number: 1, description: 'A', single_step: false })
    const inStep = (event: RunEvent): RunEvent => ({ ...event, step_key: 'step1/sub1.model:1' })
    const progress = (message: string | null) =>
      say({ event: 'agent_step_progress', number: 1, progress: null, message })
    const later = '2026-01-01T00:00:02.000Z'
    const durations = (...events: RunEvent[]) =>
      fold(begin, ...events).blocks.flatMap((block) =>
        block.type === 'thinking' ? [[block.id, block.text, block.duration_ms]] : [],
      )
    const thoughts = [inStep(think('so ')), inStep(think('far', later))]
    expect(durations(...thoughts, progress(null))).toEqual([['thinking-1.0', 'so far', null]])
    expect(durations(...thoughts, progress('It is'), inStep(think('and')))).toEqual([
      ['thinking-1.0', 'so far', 2000],
      ['thinking-1.1', 'and', null],
    ])
    const completed = say({ event: 'agent_step_completed', number: 1 })
    expect(durations(...thoughts, completed)).toEqual([['thinking-1.0', 'so far', 2000]])
  })
})

function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}
