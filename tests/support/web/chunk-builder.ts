import type { Chunk } from '#shared/knowledge/documents/documents.ts'

/** Returns a passage as the server sends it, with defaults. */
export function aChunk(given: Partial<Chunk> = {}): Chunk {
  const { id = crypto.randomUUID(), text = 'A passage.' } = given
  return {
    ...{ id, element_id: 'e1', type: 'Paragraph', text, content: text, heading_path: [] },
    ...{ place: {}, page_number: null, has_embeddings: true, chunk_size: text.length },
    metadata: { timeline_position: null, start_time_from_meta: null, page_number: null },
    ...{ certainty: null, distance: null },
    ...given,
  }
}
