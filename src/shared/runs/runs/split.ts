/** One event on the wire: the `event`, `id` and `data` lines of a block. */
export type WireEvent = { event: string; id: string | null; data: string }

/** Maximum bytes of data in an unsplit event. */
export const SPLIT_ABOVE_BYTES = 32 * 1024
const PIECE_CHARACTERS = 16 * 1024
const SUFFIX = '_delta_sse'

/**
 * Splits a large event into `<name>_delta_sse` chunks; yields a small one unchanged. Only the last chunk
 * carries the id, so that a resuming reader never skips half an event. Chunks are created lazily.
 */
export function* splitEvent(event: WireEvent, chunkId: () => string): Generator<WireEvent, void> {
  if (!isLarge(event.data)) return yield event
  const chunk_id = chunkId()
  const total_chunks = Math.ceil(event.data.length / PIECE_CHARACTERS)
  for (let chunk_index = 0; chunk_index < total_chunks; chunk_index += 1) {
    const data = event.data.slice(chunk_index * PIECE_CHARACTERS, (chunk_index + 1) * PIECE_CHARACTERS)
    const chunk = { chunk_id, chunk_index, total_chunks, original_event_type: event.event, data }
    yield {
      event: event.event + SUFFIX,
      id: chunk_index === total_chunks - 1 ? event.id : null,
      data: JSON.stringify(chunk),
    }
  }
}

/** Checks the size. A UTF-16 code unit takes one to three bytes of UTF-8, so most texts need no counting. */
function isLarge(data: string): boolean {
  if (data.length * 3 <= SPLIT_ABOVE_BYTES) return false
  return data.length > SPLIT_ABOVE_BYTES || new TextEncoder().encode(data).length > SPLIT_ABOVE_BYTES
}

/** Returns true for the name of a chunk. */
export function isChunkName(event: string): boolean {
  return event.endsWith(SUFFIX)
}
