import * as z from 'zod/mini'
import type { WireEvent } from './split.ts'

/** Milliseconds that a reader waits for the missing chunks of an event. */
export const CHUNK_BUFFER_MS = 30_000

const Chunk = z.object({
  chunk_id: z.string(),
  chunk_index: z.int().check(z.gte(0)),
  total_chunks: z.int().check(z.gte(1), z.lte(100_000)),
  original_event_type: z.string(),
  data: z.string(),
})

type Buffer = { pieces: Map<number, string>; startedAt: number; id: string | null }

/**
 * Reassembles chunked events. Returns the whole event with its last chunk, otherwise null. Ignores duplicate chunks
 * and drops incomplete events after 30 s. `now` is in milliseconds.
 */
export function createJoiner(now: () => number = Date.now): (chunk: WireEvent) => WireEvent | null {
  const buffers = new Map<string, Buffer>()
  return ({ data, id }) => {
    dropOld(buffers, now())
    const chunk = parseChunk(data)
    if (!chunk || chunk.chunk_index >= chunk.total_chunks) return null
    const buffer = buffers.get(chunk.chunk_id) ?? { pieces: new Map(), startedAt: now(), id: null }
    buffers.set(chunk.chunk_id, buffer)
    if (buffer.pieces.has(chunk.chunk_index)) return null
    buffer.pieces.set(chunk.chunk_index, chunk.data)
    buffer.id = id ?? buffer.id
    if (buffer.pieces.size < chunk.total_chunks) return null
    buffers.delete(chunk.chunk_id)
    const whole = Array.from({ length: chunk.total_chunks }, (_, index) => buffer.pieces.get(index) ?? '')
    return { event: chunk.original_event_type, id: buffer.id, data: whole.join('') }
  }
}

function dropOld(buffers: Map<string, Buffer>, now: number): void {
  for (const [id, { startedAt }] of buffers) if (now - startedAt > CHUNK_BUFFER_MS) buffers.delete(id)
}

function parseChunk(data: string) {
  const parsed = Chunk.safeParse(parseJson(data))
  return parsed.success ? parsed.data : null
}

/** Returns the value of a JSON text, or undefined when it is invalid, so that one broken line does not end a stream. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
