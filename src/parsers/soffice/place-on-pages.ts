import { readFile } from 'node:fs/promises'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box, Element, Job, PageBox } from '../elements/port.ts'

/** A piece of text on a page. `start` and `end` count the letters and digits of the PDF. */
type Piece = { page: number; box: Box; start: number; end: number }

/** Letters and digits that must match at the beginning and end of an element. */
const ANCHOR = 40
/** Maximum distance from one element to the next, in letters and digits. */
const REACH = 20_000

/** Adds the boxes of elements by finding their text in a PDF of the same document. Reports the pages of the PDF to the job. */
export async function placeOnPages(elements: Element[], path: string, job: Job): Promise<Element[]> {
  const { signs, pieces } = await readPieces(path, job)
  let cursor = 0
  return elements.map((element) => {
    if (element.type === 'Header' || element.type === 'Footer') return element
    const wanted = signsOf(element.text)
    if (wanted === '') return element
    const range = find(signs, wanted, cursor)
    if (!range) return element
    cursor = range.end
    const boxes = boxesOf(pieces, range)
    if (boxes.length === 0) return element
    const { page: _, ...place } = element.place ?? {}
    return { ...element, place: { ...place, boxes } }
  })
}

async function readPieces(path: string, job: Job): Promise<{ signs: string; pieces: Piece[] }> {
  const task = getDocument({ data: new Uint8Array(await readFile(path)), useSystemFonts: true, verbosity: 0 })
  const document = await task.promise
  const parts: string[] = []
  const pieces: Piece[] = []
  let length = 0
  try {
    const pages = Math.min(document.numPages, job.limits.pages)
    for (let number = 1; number <= pages; number += 1) {
      job.signal.throwIfAborted()
      const page = await document.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 })
      job.page({ number, width, height })
      for (const item of (await page.getTextContent()).items) {
        if (!('str' in item)) continue
        const signs = signsOf(item.str)
        if (signs === '') continue
        const [, , , , x = 0, y = 0] = item.transform as number[]
        const box: Box = [
          x / width,
          1 - (y + item.height) / height,
          (x + item.width) / width,
          1 - (y - item.height * 0.2) / height,
        ]
        pieces.push({
          page: number,
          box: box.map((side) => Math.min(1, Math.max(0, side))) as Box,
          start: length,
          end: length + signs.length,
        })
        parts.push(signs)
        length += signs.length
      }
      page.cleanup()
    }
  } finally {
    await task.destroy()
  }
  return { signs: parts.join(''), pieces }
}

/** Finds a text by its beginning near `cursor`, and its end at about its length. Returns null if it does not find the beginning. */
function find(signs: string, wanted: string, cursor: number): { start: number; end: number } | null {
  const head = wanted.slice(0, ANCHOR)
  const start = nearest(signs, head, cursor)
  if (start < 0) return null
  const tail = wanted.slice(-ANCHOR)
  const end = signs.indexOf(tail, start + Math.max(0, Math.floor(wanted.length * 0.8) - tail.length))
  const isNear = end >= 0 && end <= start + wanted.length * 1.3 + 200
  return { start, end: isNear ? end + tail.length : start + head.length }
}

function nearest(signs: string, head: string, cursor: number): number {
  const ahead = signs.indexOf(head, cursor)
  if (ahead >= 0 && ahead - cursor < REACH) return ahead
  // Text boxes and notes may be earlier in the PDF.
  return head.length >= 12 ? signs.lastIndexOf(head, cursor) : -1
}

function boxesOf(pieces: Piece[], { start, end }: { start: number; end: number }): PageBox[] {
  const byPage = Map.groupBy(
    pieces.filter((piece) => piece.start < end && piece.end > start),
    ({ page }) => page,
  )
  return [...byPage].map(([page, own]) => ({
    page,
    box: [
      Math.min(...own.map(({ box }) => box[0])),
      Math.min(...own.map(({ box }) => box[1])),
      Math.max(...own.map(({ box }) => box[2])),
      Math.max(...own.map(({ box }) => box[3])),
    ],
  }))
}

/** Returns the letters and digits. Spaces, hyphens and punctuation differ between a file and its PDF. */
const signsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
