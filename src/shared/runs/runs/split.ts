/** One event as it stands on the wire: the `event`, `id` and `data` lines of a block. */
export type WireEvent = { event: string; id: string | null; data: string }

/** Events with more bytes of data than this are sent in pieces. */
export const SPLIT_ABOVE_BYTES = 32 * 1024
const PIECE_CHARACTERS = 16 * 1024
const SUFFIX = '_delta_sse'

/**
 * Cuts a large event into `<name>_delta_sse` chunks; a small one comes back alone. Only the last chunk
 * carries the id, so that a reader who resumes never skips half an event. Each is made when it is asked for.
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

/** A character takes one to three bytes of UTF-8 per code unit: most texts need no counting. */
function isLarge(data: string): boolean {
  if (data.length * 3 <= SPLIT_ABOVE_BYTES) return false
  return data.length > SPLIT_ABOVE_BYTES || new TextEncoder().encode(data).length > SPLIT_ABOVE_BYTES
}

/** Whether an event of this name is a piece of a larger one. */
export function isChunkName(event: string): boolean {
  return event.endsWith(SUFFIX)
}
