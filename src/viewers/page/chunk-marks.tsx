import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import type { Box } from '#shared/platform/place.ts'
import { placeOf } from './place.ts'

/** Location of a passage; only the page when its boxes are unknown, null when the page is unknown too. */
export type ChunkPlace = { page: number; boxes: readonly { page: number; box: Box }[] } | null

/** Returns the location of a passage in a document with the given number of pages. */
export function placeOfChunk({ place, page_number }: Chunk, pages: number): ChunkPlace {
  const boxes = (place.boxes ?? []).filter(({ page }) => page >= 1 && page <= pages)
  const page = boxes[0]?.page ?? place.page ?? page_number
  return page !== null && page >= 1 && page <= pages ? { page, boxes } : null
}

/** Marks the boxes of the requested passage on one page. */
export function ChunkMarks({ place, page }: { place: ChunkPlace; page: number }) {
  return place?.boxes
    .filter((one) => one.page === page)
    .map(({ box }) => <span key={box.join()} className="chunk-mark" style={placeOf(box)} />)
}
