import type { Chunk } from '#shared/knowledge/documents/documents.ts'

/** Seconds of a recording assumed per page of its document. */
const SECONDS_A_PAGE = 10

/** Returns the start of a passage in seconds; null when it is unknown. */
export function chunkTime({ metadata, page_number }: Chunk): number | null {
  const page = metadata.page_number ?? page_number
  return (
    metadata.timeline_position ??
    metadata.start_time_from_meta ??
    (page === null ? null : page * SECONDS_A_PAGE)
  )
}
