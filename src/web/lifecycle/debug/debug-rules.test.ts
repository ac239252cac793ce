import { describe, expect, it, vi } from 'vitest'
import { foldEntries, knownEvents, readEntry, readProgress, toneOf } from './events/event-entry.ts'
import { EventLog } from './events/event-log.ts'
import { findTrouble, targetOf } from './events/open-events.ts'
import { EXAMPLE_ID, findIdTrouble } from './events/session-id.ts'
import type { DebugSettings } from './events/settings.ts'

const entry = (event: string, data: unknown = {}, key = 1) =>
  readEntry({ event, id: null, data: JSON.stringify(data) }, null, key)

const settings = (given: Partial<DebugSettings>): DebugSettings => ({
  ...{ token: 't', authMode: 'cookie', createsCookie: true, url: '', sessionId: '', agentType: 'multi_turn' },
  ...given,
})

describe('session ids', () => {
  it('accept UUIDs in upper and lower case [DA-15, G-58]', () => {
    expect(EXAMPLE_ID).toBe('123e4567-e89b-12d3-a456-426614174000')
    expect([EXAMPLE_ID, EXAMPLE_ID.toUpperCase(), ` ${EXAMPLE_ID} `].map(findIdTrouble)).toEqual([
      null,
      null,
      null,
    ])
    expect(['', '  '].map(findIdTrouble)).toEqual(['empty', 'empty'])
    const wrong = [
      EXAMPLE_ID.slice(1),
      `${EXAMPLE_ID}0`,
      EXAMPLE_ID.replaceAll('-', ''),
      EXAMPLE_ID.replace('e', 'g'),
    ]
    expect(wrong.map(findIdTrouble)).toEqual(wrong.map(() => 'invalid'))
  })

  it('are read from a full stream URL [ST-29]', () => {
    const url = `https://atrium.example/api/v1/sessions/${EXAMPLE_ID}/events?token=x`
    expect(findTrouble(settings({ authMode: 'url', url }))).toBeNull()
    expect(targetOf(settings({ authMode: 'url', url }))).toBe(EXAMPLE_ID)
    expect(
      ['', 'no address', 'ftp://x/y'].map((wrong) => findTrouble(settings({ authMode: 'url', url: wrong }))),
    ).toEqual(['url', 'url', 'url'])
    expect(targetOf(settings({ sessionId: EXAMPLE_ID.toUpperCase() }))).toBe(EXAMPLE_ID)
  })
})

describe('events', () => {
  it('have a colour for every type the panels handle [DA-03, DA-24]', () => {
    const names = [
      ...['connection_established', 'ping', 'test_event', 'agent_status', 'agent_thinking', 'agent_message'],
      ...[
        'message_status',
        'agent_response_chunk',
        'agent_response_stream_start',
        'agent_response_stream_end',
      ],
      ...['agent_processing_started', 'agent_processing_complete', 'agent_processing_error'],
      ...['agent_response_error', 'agent_progress', 'agent_task_paused', 'agent_task_resumed'],
      ...['checkpoint_created', 'agent_pause_requested'],
    ]
    expect(names.filter((name) => !(name in knownEvents))).toEqual([])
    expect(toneOf('agent_processing_error')).toBe('danger')
    expect(toneOf('connection_established')).toBe('green')
    expect(toneOf('tool_result_delta_sse')).toBe('orange')
    expect(toneOf('something_new')).toBe('plain')
    expect(new Set(Object.values(knownEvents)).size).toBeGreaterThan(6)
  })

  it('are logged to the console and shown unchanged when they cannot be parsed [DA-25]', () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const broken = readEntry({ event: 'agent_progress', id: '4', data: '{broken' }, null, 1)
    expect(error.mock.calls).toEqual([['Error parsing agent_progress event', '{broken']])
    expect(broken).toMatchObject({ type: 'agent_progress', id: '4', data: '{broken', fields: {} })
    error.mockRestore()
  })

  it('report progress as a percentage with the step name [DA-23]', () => {
    expect(readProgress(entry('agent_progress', { progress: 38, step_name: 'read' }))).toEqual({
      percent: 38,
      step: 'read',
    })
    expect(readProgress(entry('agent_status', { progress: 38 }))).toBeNull()
  })

  it('merge consecutive text deltas into one line and omit pings [DA-14]', () => {
    const chunk = (name: string, content: string, key: number) => entry(name, { content }, key)
    const folded = foldEntries([
      chunk('response_chunk', 'a', 1),
      chunk('agent_response_chunk', 'a', 2),
      entry('ping', {}, 3),
      chunk('response_chunk', 'b', 4),
      chunk('agent_response_chunk', 'b', 5),
      entry('checkpoint_created', {}, 6),
      chunk('response_chunk', 'c', 7),
    ])
    expect(folded.map(({ type, count, fields }) => [type, count, fields.content])).toEqual([
      ['response_chunk', 2, 'ab'],
      ['agent_response_chunk', 2, 'ab'],
      ['checkpoint_created', 1, undefined],
      ['response_chunk', 1, 'c'],
    ])
  })

  it('are limited to the newest 5,000 and rendered in batches [DA-03]', async () => {
    const log = new EventLog()
    let told = 0
    log.subscribe(() => {
      told += 1
    })
    for (let key = 0; key < 12_000; key += 1) log.add(entry('ping', {}, key))
    expect(log.read()).toEqual([])
    await vi.waitFor(() => expect(log.read()).toHaveLength(5000))
    expect(log.read()[4999]?.key).toBe(11_999)
    expect(told).toBe(1)
    log.clear()
    expect(log.read()).toEqual([])
  })
})
