import { describe, expect, it } from 'vitest'
import { createJoiner } from './join.ts'
import { aliasOf, chatName, isAlias } from './names.ts'
import { applyOlderLine, emptyOlderMessage } from './older-reader.ts'
import { isChunkName, SPLIT_ABOVE_BYTES, splitEvent, type WireEvent } from './split.ts'

const event = (data: string): WireEvent => ({ event: 'response_chunk', id: '9', data })
const piecesOf = (data: string) => [...splitEvent(event(data), () => 'c1')]

describe('splitEvent', () => {
  it('splits an event above 32 KiB of UTF-8, whatever its characters', () => {
    expect(SPLIT_ABOVE_BYTES).toBe(32_768)
    for (const whole of ['', 'a'.repeat(10_923), 'a'.repeat(32_768), 'é'.repeat(16_384), '€'.repeat(10_922)])
      expect(piecesOf(whole)).toEqual([event(whole)])
    expect(piecesOf('a'.repeat(32_769))).toHaveLength(3)
    expect(piecesOf('é'.repeat(16_385))).toHaveLength(2)
    expect(piecesOf('€'.repeat(10_923))).toHaveLength(1)
    expect(piecesOf(`${'€'.repeat(10_922)}aaa`)).toHaveLength(1)
  })

  it('numbers each chunk and gives only the last one the event id', () => {
    const [first, second, ...more] = piecesOf(`${'é'.repeat(16_384)}a`)
    const said = { chunk_id: 'c1', total_chunks: 2, original_event_type: 'response_chunk' }
    expect(more).toEqual([])
    expect(first).toMatchObject({ event: 'response_chunk_delta_sse', id: null })
    expect(JSON.parse(first!.data)).toEqual({ ...said, chunk_index: 0, data: 'é'.repeat(16_384) })
    expect(second).toMatchObject({ event: 'response_chunk_delta_sse', id: '9' })
    expect(JSON.parse(second!.data)).toEqual({ ...said, chunk_index: 1, data: 'a' })
    expect(isChunkName('response_chunk_delta_sse')).toBe(true)
    expect(isChunkName('response_chunk_delta_sse_x')).toBe(false)
  })
})

describe('createJoiner', () => {
  const piece = (chunk_index: number, total_chunks: number, more: object = {}, id: string | null = null) => ({
    ...{ event: 'x_delta_sse', id },
    data: JSON.stringify({
      ...{ chunk_id: 'c', chunk_index, total_chunks, original_event_type: 'x', data: `<${chunk_index}>` },
      ...more,
    }),
  })

  it('keeps the chunks of two events apart', () => {
    const join = createJoiner()
    expect(join(piece(0, 2))).toBeNull()
    expect(join(piece(1, 2, { chunk_id: 'd' }))).toBeNull()
    expect(join(piece(1, 2))).toEqual({ event: 'x', id: null, data: '<0><1>' })
    expect(join(piece(0, 2, { chunk_id: 'd', data: '' }))).toMatchObject({ data: '<1>' })
  })

  it('returns the event once, and once more when all chunks are repeated', () => {
    const join = createJoiner()
    const whole = { event: 'x', id: '7', data: '<0><1>' }
    const all = [piece(0, 2, {}, '7'), piece(1, 2)]
    expect(all.map(join)).toEqual([null, whole])
    expect(all.map(join)).toEqual([null, whole])
  })

  it('ignores invalid chunks', () => {
    const join = createJoiner()
    const wrong = [piece(2, 2), piece(-1, 2), piece(0, 0), piece(0, 100_001), piece(0.5, 2)]
    const unsaid = [piece(0, 2, { data: 1 }), piece(0, 2, { chunk_id: null })]
    for (const one of [...wrong, ...unsaid, { ...piece(0, 2), data: 'no JSON' }]) expect(join(one)).toBeNull()
    expect(join(piece(0, 2))).toBeNull()
    expect(join(piece(1, 2))).toMatchObject({ data: '<0><1>' })
    expect(join(piece(0, 1))).toMatchObject({ data: '<0>' })
    expect(join(piece(99_999, 100_000))).toBeNull()
  })

  it('waits 30 seconds from the first chunk', () => {
    let now = 0
    const join = createJoiner(() => now)
    join(piece(0, 3))
    now = 30_000
    expect(join(piece(1, 3))).toBeNull()
    expect(join(piece(2, 3))).not.toBeNull()
    join(piece(0, 2))
    now = 60_001
    expect(join(piece(1, 2))).toBeNull()
  })
})

describe('second family of names', () => {
  it('maps to the chat names and is recognised as an alias', () => {
    for (const [name, alias] of Object.entries(aliasOf)) {
      expect([chatName(alias), chatName(name)]).toEqual([name, name])
      expect([isAlias(alias), isAlias(name)]).toEqual([true, false])
    }
    expect([chatName('completed'), isAlias('completed')]).toEqual(['agent_processing_complete', false])
    expect([chatName('other'), isAlias('other')]).toEqual(['other', false])
  })
})

describe('applyOlderLine', () => {
  const read = (...lines: object[]) =>
    lines.map((line) => JSON.stringify(line)).reduce(applyOlderLine, emptyOlderMessage)
  const said = { type: 'content_block', content: 'a' }

  it('starts over with each message, which may lack an id', () => {
    const before = { type: 'message_start', message_id: 'm' }
    expect(read(before, said, { type: 'message_start' })).toEqual({
      ...{ message_id: null, content: '', completed: false, navigate_to: null },
    })
    expect(read(before, said)).toEqual({
      ...{ message_id: 'm', content: 'a', completed: false, navigate_to: null },
    })
  })

  it('takes the content of a block, otherwise its text', () => {
    expect(read({ ...said, text: 'b' }).content).toBe('a')
    expect(read(said, { type: 'content_block', text: 'b' }, { type: 'content_block' }).content).toBe('ab')
  })

  it('accepts an id at the end and a missing navigation target', () => {
    const start = { type: 'message_start', message_id: 'm' }
    expect(read(start, said, { type: 'message_complete', message_id: 'n' })).toEqual({
      ...{ message_id: 'n', content: 'a', completed: true, navigate_to: null },
    })
    expect(read(start, { type: 'message_complete' })).toMatchObject({ message_id: 'm', completed: true })
  })

  it('reads lines with and without prefix and ignores all others', () => {
    for (const line of [`data:${JSON.stringify(said)}`, `data:  ${JSON.stringify(said)}`])
      expect(applyOlderLine(emptyOlderMessage, line).content).toBe('a')
    for (const line of ['', '3', '{"type":"ping"}', `{"type":"content_block","content":3}`])
      expect(applyOlderLine(emptyOlderMessage, line)).toBe(emptyOlderMessage)
  })
})
