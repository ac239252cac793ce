import type { Chunk } from '#shared/knowledge/documents/documents.ts'

/** Where a page of a document is taken to stand in a recording of it. */
const SECONDS_A_PAGE = 10

/** Where a passage begins, in seconds; null when nothing says it. */
export function chunkTime({ metadata, page_number }: Chunk): number | null {
  const page = metadata.page_number ?? page_number
  return (
    metadata.timeline_position ??
    metadata.start_time_from_meta ??
    (page === null ? null : page * SECONDS_A_PAGE)
  )
}
