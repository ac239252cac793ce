import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order } from '../src/parsers/elements/order.ts'
import { partsOf } from '../src/parsers/reader/parts.ts'
import { readDocument } from '../src/parsers/reader/read-document.ts'
import { createCutter } from '../src/server/knowledge/documents/pipeline/cut.ts'
import { liesOverItsText, placedPages } from '../tests/support/placed-pages.ts'

const CHUNKS = 1000
const PAGES = 550

/**
 * Returns the share of 1,000 chunks of a generated PDF whose boxes cover the text they quote: rotated, cropped,
 * right-to-left and two-column pages, vertical text, and tables across pages.
 */
export async function measurePlaces(
  order: Pick<Order, 'pipeline' | 'language' | 'limits' | 'settings'>,
): Promise<{ chunks: number; share: number }> {
  const scratch = mkdtempSync(join(tmpdir(), 'atrium-places-'))
  try {
    const { bytes, placed } = placedPages(PAGES)
    const byNumber = new Map(placed.map((one) => [one.number, one]))
    const path = join(scratch, 'pages.pdf')
    writeFileSync(path, bytes)
    const reading = await readDocument(
      { ...order, path, name: 'pages.pdf', folder: scratch, outFolder: scratch },
      new AbortController().signal,
      () => undefined,
    )
    const cutter = createCutter('places')
    const parts = partsOf(reading, { name: 'pages.pdf', type: 'pdf', language: null })
    const chunks = [...parts.flatMap(({ elements }) => cutter.take(elements)), ...cutter.end()]
    const verdicts = chunks.flatMap(
      ({ text, place }) => liesOverItsText(text, place.boxes ?? [], byNumber) ?? [],
    )
    const step = Math.max(1, verdicts.length / CHUNKS)
    const sampled = Array.from(
      { length: Math.min(CHUNKS, verdicts.length) },
      (_, at) => verdicts[Math.floor(at * step)],
    )
    return { chunks: sampled.length, share: sampled.filter(Boolean).length / sampled.length }
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
