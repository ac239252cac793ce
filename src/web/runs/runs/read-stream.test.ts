import { describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '#shared/runs/runs/events.ts'
import { NAVIGATE_AFTER_MS } from '#shared/runs/runs/older-reader.ts'
import { createStreamReader } from '#shared/runs/runs/stream-reader.ts'
import { anInit, aView, onWire } from '#tests/web/event-builder.ts'
import { readStream } from './read-stream.ts'

const sse = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })

async function read(response: Response) {
  const events: RunEvent[] = []
  const ids: (string | null)[] = []
  const went: string[] = []
  const end = await readStream(response, createStreamReader(), {
    event: (event, id) => {
      events.push(event)
      ids.push(id)
    },
    navigate: (to) => went.push(to),
  })
  return { events, ids, went, end, names: events.map(({ event }) => event) }
}

describe('readStream', () => {
  it('reads events with their ids, in order [ST-01]', async () => {
    const { names, ids } = await read(
      sse(
        anInit(aView()) +
          onWire({ event: 'response_chunk', content: 'a' }, '4') +
          onWire({ event: 'response_chunk', content: 'b' }, '5'),
      ),
    )
    expect(names).toEqual(['task_stream_init', 'response_chunk', 'response_chunk'])
    expect(ids).toEqual([null, '4', '5'])
  })

  it('skips invalid JSON, unknown events and pings [ST-02, ST-05]', async () => {
    const { names } = await read(
      sse(
        `event: response_chunk\ndata: {not json\n\nevent: ping\ndata: {}\n\nevent: new_thing\ndata: {}\n\n${onWire({ event: 'response_chunk', content: 'a' })}`,
      ),
    )
    expect(names).toEqual(['response_chunk'])
  })

  it('reassembles chunked events across network packets [ST-20]', async () => {
    const data = JSON.stringify({ content: 'long text' })
    const piece = (index: number, text: string) =>
      `event: response_chunk_delta_sse\ndata: ${JSON.stringify({ chunk_id: 'c', chunk_index: index, total_chunks: 2, original_event_type: 'response_chunk', data: text })}\n\n`
    const { events } = await read(sse(piece(1, data.slice(9)) + piece(0, data.slice(0, 9))))
    expect(events).toMatchObject([{ event: 'response_chunk', content: 'long text' }])
  })

  it('reports a browser that cannot read streams, and a missing stream [ST-28]', async () => {
    await expect(read(new Response(null))).rejects.toThrow('ReadableStream not supported in this browser')
    await expect(read(new Response('x', { headers: { 'content-type': 'text/plain' } }))).rejects.toThrow(
      'Invalid streaming response object',
    )
  })

  it('reports an invalid token', async () => {
    expect((await read(sse('event: unauthorized\ndata: {}\n\n'))).end).toBe('unauthorized')
  })

  it('reads the JSON lines of the older protocol and navigates after 300 ms [ST-24]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const lines = [
      { type: 'message_start', message_id: 'm1' },
      { type: 'content_block', content: 'Hello ' },
      { type: 'content_block', text: 'you' },
      { type: 'message_complete', message_id: 'm1', navigate_to: '/documents' },
    ]
    const response = new Response(lines.map((line) => JSON.stringify(line)).join('\n'), {
      headers: { 'content-type': 'application/x-ndjson; charset=json' },
    })
    const { events, went } = await read(response)
    expect(events.map((event) => ('content' in event ? event.content : event.event))).toEqual([
      'Hello ',
      'you',
      'agent_processing_complete',
    ])
    await vi.advanceTimersByTimeAsync(NAVIGATE_AFTER_MS - 1)
    expect(went).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(went).toEqual(['/documents'])
    vi.useRealTimers()
  })
})
