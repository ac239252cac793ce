import type { Canvas } from '@napi-rs/canvas'
import { createCanvas } from '@napi-rs/canvas'
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { ReadParagraph, ReadPicture } from '../../ocr/ocr.ts'
import type { Picture, Size } from './run.ts'

/** A decoded picture of pdf.js; `kind` 1 has one bit per pixel, 2 three bytes, 3 four bytes. */
type Pixels = { width: number; height: number; kind?: number; data?: Uint8Array | Uint8ClampedArray }

/** Maximum columns and rows of a picture that are examined. */
const MAX_COLUMNS = 600
const MAX_ROWS = 900
const MIN_WIDTH = 80
const MIN_HEIGHT = 24
/** Minimum difference between ink and background, on a scale of 0 to 255. */
const INK = 70
/** Minimum share of pixels in the background colour. Photographs have less. */
const MIN_BACKGROUND = 0.5
/** Minimum changes between ink and background along a row that crosses letters. */
const MIN_CHANGES = 12
const MIN_LINES = 2
/** Minimum OCR confidence of text. */
const SURE = 0.6
const MIN_WORDS = 3

/** Returns pictures that look like printed text: bands of short strokes, separated by empty rows, on an even background. */
export async function findTextPictures(page: PDFPageProxy, pictures: Picture[]): Promise<Picture[]> {
  const found: Picture[] = []
  for (const picture of pictures)
    for (const image of picture.images ?? []) {
      const pixels = typeof image === 'string' ? await pixelsOf(page, image) : (image as Pixels)
      if (!pixels?.data || !looksLikeText(pixels)) continue
      found.push(picture)
      break
    }
  return found
}

/** Returns the text of an area of a page; empty if OCR is not confident. Boxes are shares of the page. */
export async function readArea(
  shown: Canvas,
  area: Picture,
  size: Size,
  readPicture: (picture: Canvas) => Promise<ReadPicture>,
): Promise<ReadParagraph[]> {
  const [across, down] = [shown.width / size.width, shown.height / size.height]
  const left = Math.max(0, Math.floor(area.left * across))
  const top = Math.max(0, Math.floor(area.top * down))
  const width = Math.min(shown.width - left, Math.ceil((area.right - area.left) * across))
  const height = Math.min(shown.height - top, Math.ceil((area.bottom - area.top) * down))
  if (width < 1 || height < 1) return []
  const cut = createCanvas(width, height)
  cut.getContext('2d').drawImage(shown, left, top, width, height, 0, 0, width, height)
  const { paragraphs, confidence } = await readPicture(cut)
  const words = paragraphs.flatMap((paragraph) => paragraph.words)
  if (confidence < SURE || words.length < MIN_WORDS) return []
  const place = ([l, t, r, b]: ReadParagraph['box']): ReadParagraph['box'] => [
    (left + l * width) / shown.width,
    (top + t * height) / shown.height,
    (left + r * width) / shown.width,
    (top + b * height) / shown.height,
  ]
  return paragraphs.map(({ text, box, words }) => ({
    text,
    box: place(box),
    words: words.map((word) => ({ ...word, box: place(word.box) })),
  }))
}

/** Waits until pdf.js has decoded a picture. Resolves with null if it cannot. */
function pixelsOf(page: PDFPageProxy, id: string): Promise<Pixels | null> {
  const objects = id.startsWith('g_') ? page.commonObjs : page.objs
  return new Promise((resolve) => objects.get(id, (pixels: Pixels | null) => resolve(pixels)))
}

function looksLikeText(pixels: Pixels): boolean {
  const { width, height } = pixels
  if (width < MIN_WIDTH || height < MIN_HEIGHT) return false
  const columns = Math.min(width, MAX_COLUMNS)
  // Takes adjacent columns, because sampling would lose thin strokes.
  const from = Math.floor((width - columns) / 2)
  const rows = Math.min(height, MAX_ROWS)
  const light = lightAt(pixels)
  const grid = Array.from({ length: rows }, (_, row) => {
    const y = Math.floor((row * height) / rows)
    // A loop, because `Uint8Array.from` with a function is slow for half a million pixels.
    const lights = new Uint8Array(columns)
    for (let column = 0; column < columns; column++) lights[column] = light(from + column, y)
    return lights
  })
  const background = commonest(grid)
  let near = 0
  for (const row of grid) for (const one of row) if (Math.abs(one - background) < 16) near += 1
  if (near < MIN_BACKGROUND * rows * columns) return false
  return linesOf(grid, background) >= MIN_LINES
}

/** Counts lines of text: bands of pixel rows with many strokes, separated by nearly empty rows. */
function linesOf(grid: Uint8Array[], background: number): number {
  let lines = 0
  let height = 0
  for (const row of [...grid, new Uint8Array()]) {
    const changes = changesOf(row, background)
    if (changes >= MIN_CHANGES) height += 1
    else if (changes < MIN_CHANGES / 3) {
      if (height >= 4 && height < grid.length / 2) lines += 1
      height = 0
    }
  }
  return lines
}

function changesOf(row: Uint8Array, background: number): number {
  let [changes, wasInk] = [0, false]
  for (const light of row) {
    const isInk = Math.abs(light - background) > INK
    if (isInk !== wasInk) changes += 1
    wasInk = isInk
  }
  return changes
}

function commonest(grid: Uint8Array[]): number {
  const counts = new Uint32Array(32)
  for (const row of grid) for (const light of row) counts[light >> 3] = (counts[light >> 3] ?? 0) + 1
  return counts.indexOf(Math.max(...counts)) * 8 + 4
}

function lightAt({ width, kind, data = new Uint8Array() }: Pixels): (x: number, y: number) => number {
  if (kind === 2 || kind === 3) {
    const bytes = kind === 2 ? 3 : 4
    return (x, y) => data[(y * width + x) * bytes + 1] ?? 0
  }
  const stride = (width + 7) >> 3
  return (x, y) => (((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0)
}
