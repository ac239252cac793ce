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

/** Sampled rows and columns are this far apart. */
const SAMPLE_STEP = 7
/** A sample this far below the minimum proves that there is no background. */
const SAMPLE_MARGIN = 0.1

function looksLikeText(pixels: Pixels): boolean {
  const { width, height } = pixels
  if (width < MIN_WIDTH || height < MIN_HEIGHT) return false
  if (findBackground(lightsOf(pixels, SAMPLE_STEP)).share < MIN_BACKGROUND - SAMPLE_MARGIN) return false
  const grid = lightsOf(pixels, 1)
  const { light, share } = findBackground(grid)
  return share >= MIN_BACKGROUND && hasLines(grid, light)
}

/** Lights of pixels row by row, 0 to 255. */
type Grid = { lights: Uint8Array; columns: number }

/** Reads every `step`th pixel of at most `MAX_ROWS` rows and of adjacent columns in the middle, because samples lose thin strokes. */
function lightsOf({ width, height, kind, data = new Uint8Array() }: Pixels, step: number): Grid {
  const across = Math.min(width, MAX_COLUMNS)
  const from = Math.floor((width - across) / 2)
  const down = Math.min(height, MAX_ROWS)
  const columns = Math.ceil(across / step)
  const lights = new Uint8Array(columns * Math.ceil(down / step))
  const bytes = kind === 2 ? 3 : kind === 3 ? 4 : 0
  const stride = (width + 7) >> 3
  let at = 0
  for (let row = 0; row < down; row += step) {
    const y = Math.floor((row * height) / down)
    if (bytes > 0)
      for (let x = from; x < from + across; x += step) lights[at++] = data[(y * width + x) * bytes + 1] ?? 0
    else
      for (let x = from; x < from + across; x += step)
        lights[at++] = ((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0
  }
  return { lights, columns }
}

/** Returns the commonest light and the share of pixels that are about as light. */
function findBackground({ lights }: Grid): { light: number; share: number } {
  const counts = new Uint32Array(256)
  for (const light of lights) counts[light] = (counts[light] ?? 0) + 1
  const sum = (from: number, to: number) => counts.subarray(Math.max(0, from), to).reduce((a, b) => a + b, 0)
  const bands = Array.from({ length: 32 }, (_, band) => sum(band * 8, band * 8 + 8))
  const light = bands.indexOf(Math.max(...bands)) * 8 + 4
  return { light, share: sum(light - 15, light + 16) / lights.length }
}

/** Returns whether a picture has lines of text: bands of pixel rows with many strokes, separated by nearly empty rows. */
function hasLines({ lights, columns }: Grid, background: number): boolean {
  const rows = lights.length / columns
  let [lines, height] = [0, 0]
  for (let row = 0; row <= rows; row++) {
    const changes = changesOf(lights.subarray(row * columns, (row + 1) * columns), background)
    if (changes >= MIN_CHANGES) height += 1
    else if (changes < MIN_CHANGES / 3) {
      if (height >= 4 && height < (rows + 1) / 2) lines += 1
      if (lines === MIN_LINES) return true
      height = 0
    }
  }
  return false
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
