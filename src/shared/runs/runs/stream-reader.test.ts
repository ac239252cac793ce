import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyOlderLine, emptyOlderMessage, NAVIGATE_AFTER_MS } from './older-reader.ts'
import { splitEvent, type WireEvent } from './split.ts'
import { createStreamReader } from './stream-reader.ts'

const wire = (event: string, data: unknown, id: string | null = null): WireEvent => ({
  event,
  id,
  data: JSON.stringify(data),
})
const chunk = (content: string, id: string | null = null) => wire('response_chunk', { content }, id)

/** More than 40 KB with quotes, accents and surrogate pairs. */
const large = 'é"😀\n'.repeat(8000)

describe('createStreamReader', () => {
  it('reads named events and skips what is not valid JSON [ST-01, ST-02]', () => {
    const { read } = createStreamReader()
    expect(read({ event: 'response_chunk', id: '1', data: '{"content":' })).toBeNull()
    expect(read({ event: 'response_chunk', id: '1', data: '{"content":3}' })).toBeNull()
    expect(read({ event: 'response_chunk', id: '1', data: 'null' })).toBeNull()
    expect(read(wire('nobody_knows', {}))).toBeNull()
    expect(read(chunk('a', '1'))).toMatchObject({ id: '1', event: { event: 'response_chunk', content: 'a' } })
  })

  it('ignores an id that came before, and resets at task_stream_init [ST-15]', () => {
    const { read } = createStreamReader()
    const init = (last_event_id: string | null) =>
      wire('task_stream_init', { session_id: 's', view: null, user_message: null, last_event_id })
    expect(read(init('5'))).toMatchObject({ id: '5' })
    expect(read(chunk('old', '5'))).toBeNull()
    expect(read(chunk('new', '6'))).not.toBeNull()
    expect(read(chunk('new', '6'))).toBeNull()
    read(init(null))
    expect(read(chunk('replayed', '1'))).not.toBeNull()
  })

  it('reads an event without a numeric id and keeps its position [ST-15]', () => {
    const { read } = createStreamReader()
    expect(read(chunk('a', '6'))).not.toBeNull()
    for (const id of [null, '', 'x7']) expect(read(chunk('more', id))).not.toBeNull()
    expect(read(chunk('old', '6'))).toBeNull()
    expect(read(chunk('new', '7'))).not.toBeNull()
  })

  it.each(['null', '3', '"text"', '[]'])('skips an event whose data is %s [ST-02]', (data) => {
    const { read } = createStreamReader()
    for (const event of ['response_stream_end', 'agent_processing_complete', 'response_chunk'])
      expect(read({ event, id: null, data })).toBeNull()
  })

  it('fills in fields that other servers leave out', () => {
    const read = (event: string, data: object) => createStreamReader().read(wire(event, data))?.event
    expect(read('response_stream_start', {})).toMatchObject({ message_id: '' })
    expect(read('response_stream_end', {})).toMatchObject({ message_id: '' })
    expect(read('response_stream_end', { message_id: 'm' })).toMatchObject({ message_id: 'm' })
    expect(read('agent_thinking', { content: 'hm' })).toMatchObject({ content: 'hm', timestamp: '' })
    expect(read('agent_thinking', { content: 'hm', timestamp: 't' })).toMatchObject({ timestamp: 't' })
    expect(read('agent_processing_complete', {})).toMatchObject({ stopped: false })
    expect(read('agent_processing_complete', { stopped: true })).toMatchObject({ stopped: true })
  })

  it('takes the final id from the response, the message or the result, never None [ST-17]', () => {
    const end = (data: object) => createStreamReader().read(wire('completed', data))?.event
    expect(end({ response_message_id: 'a', message_id: 'b' })).toMatchObject({
      event: 'agent_processing_complete',
      message_id: 'a',
    })
    expect(end({ response: { message_id: 'a' } })).toMatchObject({ message_id: 'a' })
    expect(end({ response_message_id: 'None', message_id: 'b' })).toMatchObject({ message_id: 'b' })
    expect(end({ message_id: 'None', result: { message_id: 'c' } })).toMatchObject({ message_id: 'c' })
    expect(end({ result: { message_id: 'None' } })).toMatchObject({ message_id: '' })
  })

  it('reads an error from its text, its content, or falls back to Unknown error [ST-18]', () => {
    const error = (data: object) => createStreamReader().read(wire('agent_processing_error', data))?.event
    expect(error({ error: 'a', content: 'b' })).toMatchObject({ error: 'a' })
    expect(error({ content: 'b' })).toMatchObject({ error: 'b' })
    expect(error({ error: '', content: 'b' })).toMatchObject({ error: 'b' })
    expect(error({})).toMatchObject({ error: 'Unknown error' })
  })

  it('reads the execution of a tool event from its data [ST-19]', () => {
    const event = createStreamReader().read(
      wire('tool_update', { type: 'x', data: { execution_id: 'e', status: 'complete' } }),
    )?.event
    expect(event).toMatchObject({
      event: 'tool_update',
      tool_execution_id: 'e',
      data: { status: 'complete' },
    })
  })

  it.each(['tool_partial_update', 'tool_input_required'])(
    'completes %s from its data when fields are missing [ST-19]',
    (name) => {
      const inside = { execution_id: 'e', prompt: '?', content: 'inside' }
      const read = (data: object) => createStreamReader().read(wire(name, data))?.event
      expect(read({ data: inside })).toMatchObject({ event: name, tool_execution_id: 'e' })
      expect(read({ data: inside, tool_execution_id: 'own' })).toMatchObject({ tool_execution_id: 'own' })
    },
  )

  it('names a tool by the event, its data or its id [ST-19]', () => {
    const read = (more: object, inside: object) =>
      createStreamReader().read(wire('tool_update', { data: { execution_id: 'e', ...inside }, ...more }))
        ?.event
    const named = { tool_id: 'in', tool_name: 'Inside' }
    expect(read({}, named)).toMatchObject({ type: 'tool_update', ...named })
    expect(read({ tool_id: 'own', tool_name: 'Own' }, named)).toMatchObject({
      tool_id: 'own',
      tool_name: 'Own',
    })
    expect(read({}, { tool_id: 'in' })).toMatchObject({ tool_id: 'in', tool_name: 'in' })
    expect(read({}, {})).toMatchObject({ tool_id: '', tool_name: '' })
  })

  it('reads the second family of names only when asked to [ST-32, G-19]', () => {
    const event = wire('agent_response_chunk', { content: 'a' })
    expect(createStreamReader().read(event)).toBeNull()
    expect(createStreamReader({ aliases: true }).read(event)?.event).toMatchObject({
      event: 'response_chunk',
      content: 'a',
    })
  })

  it('reassembles a split event of any size [ST-20]', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.integer({ min: 0, max: 60_000 }),
        (text, repeat) => {
          const content = text.repeat(Math.ceil(repeat / text.length) + 1)
          const { read } = createStreamReader()
          const sent = [...splitEvent(chunk(content, '9'), () => 'c1')]
          expect(sent.every(({ data }) => data.length < 100_000)).toBe(true)
          expect(sent.slice(0, -1).map(({ id }) => id)).toEqual(sent.slice(0, -1).map(() => null))
          const answers = sent.map(read)
          expect(answers.slice(0, -1)).toEqual(answers.slice(0, -1).map(() => null))
          expect(answers.at(-1)).toMatchObject({ id: '9', event: { content } })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('sorts chunks by index and ignores duplicates [ST-20, ST-21]', () => {
    const pieces = [...splitEvent(chunk(large, '9'), () => 'c1')]
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces[0]).toMatchObject({ event: 'response_chunk_delta_sse' })
    const { read } = createStreamReader()
    const [first, second, ...rest] = pieces
    const answers = [second!, second!, first!, first!, ...rest].map(read)
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(answers.at(-1)?.event).toMatchObject({ content: large })
  })

  it('drops an event permanently when chunks are missing for 30 s [ST-22, ST-23]', () => {
    let now = 0
    const { read } = createStreamReader({ now: () => now })
    const pieces = [...splitEvent(chunk(large), () => 'c1')]
    expect(pieces.slice(1).map(read).filter(Boolean)).toEqual([])
    now = 30_000
    const late = [...splitEvent(chunk(large), () => 'c2')]
    expect(late.map(read).filter(Boolean)).toHaveLength(1)
    now = 30_001
    expect(read(pieces[0]!)).toBeNull()
  })
})

describe('applyOlderLine', () => {
  it('folds JSON lines to a message with a navigation target after 300 ms [ST-24]', () => {
    const lines = [
      '{"type":"message_start","message_id":"m"}',
      'data: {"type":"content_block","content":"Hel"}',
      'not json',
      '{"type":"content_block","text":"lo"}',
      '{"type":"message_complete","navigate_to":"/chat/1"}',
    ]
    expect(lines.reduce(applyOlderLine, emptyOlderMessage)).toEqual({
      message_id: 'm',
      content: 'Hello',
      completed: true,
      navigate_to: '/chat/1',
    })
    expect(NAVIGATE_AFTER_MS).toBe(300)
  })
})
