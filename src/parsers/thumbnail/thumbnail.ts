import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { THUMBNAIL } from '#shared/knowledge/documents/parts.ts'
import type { Order, Reading } from '../elements/order.ts'
import type { Format } from '../elements/port.ts'
import { decodePicture } from '../image/decode-picture.ts'
import { openPdf } from '../pdf/page/open-pdf.ts'
import type { PageCanvas } from '../pdf/page/render-page.ts'

/** The maximum width in pixels: twice the size on a card. */
const MAX_WIDTH = 480
const MAX_HEIGHT = 640
/** The file size is limited by the pixels and this quality: about 20 kB for a page, never more than 200 kB. */
const QUALITY = 75
const PICTURES: readonly Format[] = ['png', 'jpg', 'gif', 'webp']

/** Draws the first page of a document as `thumb.webp` next to its reading, if it has one. A page that cannot be drawn is left out. */
export async function drawThumbnail(
  order: Pick<Order, 'path' | 'outFolder'>,
  reading: Pick<Reading, 'format' | 'kept'>,
): Promise<void> {
  try {
    const canvas = await drawFirst(order, reading)
    if (canvas) await writeFile(join(order.outFolder, THUMBNAIL), await canvas.encode('webp', QUALITY))
  } catch {
    // The card has a placeholder for documents without a picture.
  }
}

async function drawFirst(
  { path, outFolder }: Pick<Order, 'path' | 'outFolder'>,
  { format, kept }: Pick<Reading, 'format' | 'kept'>,
): Promise<Canvas | null> {
  if (format === 'pdf') return drawPage(path)
  if (kept.includes('view.pdf')) return drawPage(join(outFolder, 'view.pdf'))
  const view = ['view.png', 'view-1.png'].find((name) => kept.includes(name))
  if (view) return shrink(await decodePicture(await readFile(join(outFolder, view)), 'png'))
  return PICTURES.includes(format) ? shrink(await decodePicture(await readFile(path), format)) : null
}

async function drawPage(path: string): Promise<Canvas> {
  const pdf = await openPdf(path)
  try {
    const page = await pdf.getPage(1)
    const { width, height } = page.getViewport({ scale: 1 })
    const viewport = page.getViewport({ scale: scaleOf(width, height) })
    const canvas = canvasOf(viewport.width, viewport.height)
    await page.render({ canvas: canvas as unknown as PageCanvas, viewport, background: 'white' }).promise
    return canvas
  } finally {
    await pdf.loadingTask.destroy()
  }
}

function shrink(picture: Canvas): Canvas {
  const scale = Math.min(1, scaleOf(picture.width, picture.height))
  const canvas = canvasOf(picture.width * scale, picture.height * scale)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

const scaleOf = (width: number, height: number) => Math.min(MAX_WIDTH / width, MAX_HEIGHT / height)

const canvasOf = (width: number, height: number) =>
  createCanvas(Math.max(1, Math.floor(width)), Math.max(1, Math.floor(height)))
