import type { Chunk } from '#shared/knowledge/documents/documents.ts'
import type { Box } from '#shared/platform/place.ts'
import { placeOf } from './place.ts'

/** Where a passage stands; the page alone where its boxes are not known, null where not even that is. */
export type ChunkPlace = { page: number; boxes: readonly { page: number; box: Box }[] } | null

/** The place of a passage in a document of so many pages. */
export function placeOfChunk({ place, page_number }: Chunk, pages: number): ChunkPlace {
  const boxes = (place.boxes ?? []).filter(({ page }) => page >= 1 && page <= pages)
  const page = boxes[0]?.page ?? place.page ?? page_number
  return page !== null && page >= 1 && page <= pages ? { page, boxes } : null
}

/** The boxes of the passage that was asked for, on one page. */
export function ChunkMarks({ place, page }: { place: ChunkPlace; page: number }) {
  return place?.boxes
    .filter((one) => one.page === page)
    .map(({ box }) => <span key={box.join()} className="chunk-mark" style={placeOf(box)} />)
}
