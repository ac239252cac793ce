import { describe, expect, it } from 'vitest'
import type { RunEvent } from './events.ts'
import { appendEvent } from './merge.ts'
import { foldEvents } from './reduce/reduce.ts'

const origin = { run_id: 'run', step_key: 'tool:a', attempt: 1 }
const call = { tool_execution_id: 'call', tool_id: 'probe', tool_name: 'Probe', type: 'probe' }
const update = (data: object): RunEvent => ({ event: 'tool_update', ...origin, ...call, data })
const partial = (content: string): RunEvent => ({
  ...{ event: 'tool_partial_update', ...origin, tool_execution_id: 'call', content },
})
const started: RunEvent = {
  ...{ event: 'agent_processing_started', ...origin, session_id: 's', message_id: 'm', user_message_id: 'u' },
  ...{ agent_type: 'multi_turn', model_name: null, timestamp: '' },
}
const cardOf = (events: RunEvent[]) => {
  const block = foldEvents(null, [started, ...events])?.blocks[0]
  if (block?.type !== 'tool') throw new Error('There is no card.')
  return block
}
const sizeOf = (value: unknown) => JSON.stringify(value).length

describe('boundTool', () => {
  it('leaves short events unchanged', () => {
    const said = [
      update({ phase: 'look', status: 'complete', data: { found: 3 } }),
      partial('x'.repeat(3_000)),
    ]
    const card = cardOf([...said, update({ status: 'complete', result: 1 })])
    expect(card.events).toMatchObject([{ data: { found: 3 } }, { data: { content: 'x'.repeat(3_000) } }, {}])
    expect(card).not.toHaveProperty('events_cut')
  })

  it('keeps the end of a growing text and the states of its phases while the tool works', () => {
    const phases = ['look', 'read'].flatMap((phase) => [
      update({ phase, status: 'processing', data: { page: 'y'.repeat(20_000) } }),
      update({ phase, status: 'complete' }),
    ])
    const card = cardOf([...phases, partial(`start${'x'.repeat(50_000)}`), partial('end')])
    expect(sizeOf(card)).toBeLessThan(20_000)
    expect(card.events_cut).toBe(true)
    expect(card.events.map(({ phase, status }) => [phase, status])).toEqual([
      ...[
        ['look', 'processing'],
        ['look', 'complete'],
        ['read', 'processing'],
        ['read', 'complete'],
      ],
      [undefined, undefined],
    ])
    expect(card.events.at(-1)?.data?.content).toMatch(/^…x+end$/)
  })

  it('shrinks a finished call to a few kilobytes, however many events it had', () => {
    const many = Array.from({ length: 3_000 }, (_, n) =>
      update({ phase: `${n} ${'z'.repeat(300)}`, status: 'processing', message: 'm'.repeat(300) }),
    )
    expect(sizeOf(cardOf([...many, partial('x'.repeat(9_000))]))).toBeLessThan(60_000)
    expect(sizeOf(cardOf([...many, update({ status: 'error', error: 'No.' })]))).toBeLessThan(25_000)
    const text = cardOf([partial('first'), update({ status: 'processing' }), partial('x'.repeat(9_000))])
    expect(text.events).toHaveLength(2)
    const over = cardOf([update({}), partial('x'.repeat(9_000)), update({ status: 'complete', result: 1 })])
    expect(sizeOf(over)).toBeLessThan(600)
  })

  it('shortens long texts and keeps only the newest forty events', () => {
    const said = { phase: 'p'.repeat(300), message: 'm'.repeat(300) }
    const many = Array.from({ length: 50 }, (_, n) => update({ ...said, status: `${n}${'s'.repeat(300)}` }))
    const { events } = cardOf([...many, update({ status: 'complete', result: 1 })])
    expect(events).toHaveLength(40)
    expect(events.at(-1)).toEqual({ type: 'probe', status: 'complete' })
    expect(events[0]).toEqual({
      ...{ type: 'probe', phase: 'p'.repeat(200), message: 'm'.repeat(200), status: `11${'s'.repeat(198)}` },
    })
  })

  it('gives the same result however the text was split, and again from its stored form', () => {
    const text = `${'a\\"'.repeat(4_000)}${'👩‍🚀é'.repeat(4_000)}`
    const around = (pieces: string[]) => [
      update({ phase: 'look', status: 'processing', data: { page: 'y'.repeat(17_000) } }),
      ...pieces.map(partial),
      update({ phase: 'write', status: 'processing', data: { page: 'y'.repeat(9_000) } }),
      partial('and on'),
    ]
    const whole = cardOf(around([text]))
    for (const size of [1, 7, 1_000, 16_384]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(cardOf(around(pieces))).toEqual(whole)
      const recorded: RunEvent[] = []
      for (const event of around(pieces)) appendEvent(recorded, event)
      expect(cardOf(recorded)).toEqual(whole)
    }
  })
})
