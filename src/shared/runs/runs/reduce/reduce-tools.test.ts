import { describe, expect, it } from 'vitest'
import { beginStep, fold, say, tool } from '#tests/run-events.ts'
import type { RunEvent, RunEventBody } from '../events.ts'
import { applyEvent } from './reduce.ts'

const partial = (more: Partial<RunEventBody<'tool_partial_update'>>, id = 'call') =>
  say({ event: 'tool_partial_update', tool_execution_id: id, ...more })
const picture = (url: string, partial_image_index?: number) => partial({ url, partial_image_index })
const cardOf = (...events: RunEvent[]) => {
  const [block] = fold(...events).blocks
  if (block?.type !== 'tool') throw new Error('There is no card.')
  return block
}

describe('tool call', () => {
  it('starts with only its name', () => {
    expect(cardOf(tool({}))).toEqual({
      ...{ type: 'tool', id: 'call', tool_id: 'calculator', tool_name: 'Calculator', status: 'pending' },
      ...{ input: null, result: null, error: null, events: [{ type: 'calculator' }] },
    })
  })

  it('keeps fields that an update omits, and its position', () => {
    const said = { status: 'error', input: 1, result: 2, error: 'No' }
    expect(cardOf(tool(said), tool({}))).toMatchObject(said)
    expect(cardOf(tool(said), tool({ input: null, result: null, error: 'Other' }))).toMatchObject({
      ...{ input: null, result: null, error: 'Other' },
    })
    const view = fold(beginStep(1), beginStep(2), tool({}, 'a', 1), tool({}, 'b', 2), tool({ input: 1 }, 'a'))
    expect(view.blocks.map(({ id }) => id)).toEqual(['step-1', 'a', 'step-2', 'b'])
    expect(view.blocks).toMatchObject([{}, { step: 1, input: 1 }, {}, { step: 2, input: null }])
  })

  it('refers to large values by their execution', () => {
    const ref = (id: string) => ({ id, bytes: 9, preview: '"a' })
    const card = cardOf(tool({ input_ref: ref('in') }), tool({ result_ref: ref('out') }), tool({}))
    expect(card).toMatchObject({ input_ref: ref('in'), result_ref: ref('out') })
    expect(cardOf(tool({}))).not.toHaveProperty('input_ref')
    expect(cardOf(tool({}))).not.toHaveProperty('result_ref')
  })

  it('is working from its first phase on and keeps phase statuses separate', () => {
    expect(cardOf(tool({ phase: 'look', status: 'complete' })).status).toBe('processing')
    expect(cardOf(tool({ status: 'loading' }), tool({ phase: 'look', status: 'error' })).status).toBe(
      'loading',
    )
    expect(cardOf(tool({ status: 'loading' }), tool({ status: 'nonsense' })).status).toBe('loading')
    expect(cardOf(tool({ status: 'loading' }), tool({ status: 'streaming' })).status).toBe('streaming')
  })

  it("lists the tool's events in order", () => {
    const said = { phase: 'look', status: 'complete', message: 'Found', data: { a: 1 } }
    expect(cardOf(tool({ ...said, input: 3 })).events).toEqual([{ type: 'calculator', ...said }])
  })

  it('waits for input only when the call is known', () => {
    const ask = (id: string) =>
      say({
        ...{ event: 'tool_input_required', tool_execution_id: id, data: { prompt: 'Which?', more: 1 } },
      } as RunEventBody<'tool_input_required'>)
    const view = fold(tool({ status: 'loading' }))
    const [, event] = cardOf(tool({ status: 'loading' }), ask('call')).events
    expect(event).toEqual({
      ...{ type: 'tool_input_required', message: 'Which?' },
      data: { prompt: 'Which?', more: 1, execution_id: 'call' },
    })
    expect(cardOf(tool({ status: 'loading' }), ask('call')).status).toBe('loading')
    expect(applyEvent(view, ask('other'))).toBe(view)
  })
})

describe('partial output of a call', () => {
  it('ignores unknown calls and empty output', () => {
    const view = fold(tool({}))
    for (const event of [partial({ content: 'a' }, 'other'), partial({ content: '' }), partial({})])
      expect(applyEvent(view, event)).toBe(view)
  })

  it('streams until the call completes', () => {
    expect(cardOf(tool({}), partial({ content: 'a' })).status).toBe('streaming')
    expect(cardOf(tool({}), picture('a.png')).status).toBe('streaming')
    expect(cardOf(tool({}), picture('a.png'), picture('b.png')).status).toBe('streaming')
    for (const event of [partial({ content: 'a' }), picture('a.png')])
      expect(cardOf(tool({ status: 'complete' }), event).status).toBe('complete')
  })

  it('grows one text until another event interrupts it', () => {
    const { events } = cardOf(
      ...[
        tool({}),
        partial({ content: 'a' }),
        partial({ content: 'b' }),
        tool({}),
        partial({ content: 'c' }),
      ],
    )
    expect(events).toEqual([
      ...[{ type: 'calculator' }, { type: 'tool_partial_update', data: { content: 'ab' } }],
      ...[{ type: 'calculator' }, { type: 'tool_partial_update', data: { content: 'c' } }],
    ])
    const said = cardOf(tool({ data: { content: 'said' } }), partial({ content: 'a' })).events
    expect(said.map(({ data }) => data)).toEqual([{ content: 'said' }, { content: 'a' }])
    const shown = cardOf(tool({}), picture('a.png'), partial({ content: 'a' })).events
    expect(shown).toHaveLength(3)
  })

  it('keeps the latest picture per index', () => {
    const card = cardOf(
      ...[tool({ data: { partial_image_index: 0 } }), picture('a.png'), picture('b.png', 1)],
      ...[picture('c.png', 0), picture('d.png', 1)],
    )
    expect(card.events.slice(1)).toEqual([
      { type: 'tool_partial_update', data: { url: 'c.png', partial_image_index: 0 } },
      { type: 'tool_partial_update', data: { url: 'd.png', partial_image_index: 1 } },
    ])
    expect(card.events[0]).toEqual({ type: 'calculator', data: { partial_image_index: 0 } })
  })
})
