import { afterEach, describe, expect, it, vi } from 'vitest'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { ApiError } from '../../../platform/lib/api/api-error.ts'
import { followEvents } from './follow-events.ts'

let leave = () => {}
afterEach(() => leave())

/** Follows a series of stream answers and records every callback. */
function follow(...answers: (WrittenStream | Error)[]) {
  const told: string[] = []
  const open = vi.fn(async (_signal: AbortSignal, _lastId: string | null) => {
    const answer = answers[open.mock.calls.length - 1]
    if (!answer || answer instanceof Error) throw answer ?? new TypeError('network error')
    return answer.response
  })
  leave = followEvents(open, {
    event: ({ event, id, data }, pieces) =>
      told.push([event, id ?? '-', data, pieces ?? ''].join(' ').trim()),
    opened: () => told.push('(opened)'),
    lost: () => told.push('(lost)'),
    closed: (error) => told.push(`(closed${error instanceof ApiError ? ` ${error.status}` : ''})`),
  })
  return { told, open }
}

describe('the events of a session', () => {
  it('are passed on unchanged, whatever their name [ST-31, ST-32]', async () => {
    const stream = new WrittenStream()
    const { told } = follow(stream)
    stream.write('event: ping\ndata: {}\n\nevent: any_thing\nid: 5\ndata: {"a":1}\n\n', 'data: not json\n\n')
    await vi.waitFor(() =>
      expect(told).toEqual(['(opened)', 'ping - {}', 'any_thing 5 {"a":1}', 'message - not json']),
    )
  })

  it('are passed on in chunks and reassembled when large [ST-20]', async () => {
    const stream = new WrittenStream()
    const { told } = follow(stream)
    const piece = (chunk_index: number, data: string) =>
      JSON.stringify({ chunk_id: 'c', chunk_index, total_chunks: 2, original_event_type: 'big', data })
    stream.write(`event: big_delta_sse\ndata: ${piece(0, '{"a":')}\n\n`)
    stream.write(`event: big_delta_sse\nid: 7\ndata: ${piece(1, '1}')}\n\n`)
    await vi.waitFor(() => expect(told).toHaveLength(4))
    expect(told[3]).toBe('big 7 {"a":1} 2')
  })

  it('resume after any lost connection [DA-07]', async () => {
    const [first, second, third] = [new WrittenStream(), new WrittenStream(), new WrittenStream()]
    const { told } = follow(first, new ApiError(503, 'unavailable', 'x'), second, third)
    first.break()
    await vi.waitFor(() => expect(told).toEqual(['(opened)', '(lost)', '(lost)', '(opened)']), {
      timeout: 4000,
    })
    second.close()
    await vi.waitFor(() => expect(told.slice(4)).toEqual(['(lost)', '(opened)']), { timeout: 4000 })
  })

  it('resume after the last received id, or the id in a start event [ST-31]', async () => {
    const streams = Array.from({ length: 4 }, () => new WrittenStream())
    const { open } = follow(...streams)
    const named = (event: string, last_event_id: string) =>
      `event: ${event}\ndata: ${JSON.stringify({ last_event_id })}\n\n`
    const loseAfter = async (at: number, text: string) => {
      await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(at + 1), { timeout: 4000 })
      streams[at]!.write(text).close()
    }
    await loseAfter(0, `${named('connection_established', '40')}event: ping\ndata: {}\n\n`)
    await loseAfter(1, 'event: any\nid: 47\ndata: {}\n\nevent: alias\ndata: {"last_event_id":"3"}\n\n')
    await loseAfter(2, named('task_stream_init', '90'))
    await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(4), { timeout: 4000 })
    expect(open.mock.calls.map(([, lastId]) => lastId)).toEqual([null, '40', '47', '90'])
  })

  it.each([401, 403, 404])('end after a refusal with %s [DA-07]', async (status) => {
    const { told, open } = follow(new ApiError(status, 'unknown', 'x'))
    await vi.waitFor(() => expect(told).toEqual([`(closed ${status})`]))
    expect(open).toHaveBeenCalledOnce()
  })

  it('end when the token is no longer valid [ST-29]', async () => {
    const stream = new WrittenStream()
    const { told } = follow(stream)
    stream.write('event: unauthorized\ndata: {}\n\n').close()
    await vi.waitFor(() => expect(told.at(-1)).toBe('(closed)'))
  })

  it('stop when the caller leaves', async () => {
    const stream = new WrittenStream()
    const { told } = follow(stream)
    await vi.waitFor(() => expect(told).toEqual(['(opened)']))
    leave()
    stream.write('event: ping\ndata: {}\n\n').close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(told).toEqual(['(opened)'])
  })
})
