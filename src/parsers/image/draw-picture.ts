import { open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import { type Format, Unreadable } from '../elements/port.ts'
import { openPdf } from '../pdf/page/open-pdf.ts'
import { renderPage } from '../pdf/page/render-page.ts'
import { sniffFormat } from '../sniff/sniff.ts'
import { decodePicture } from './decode-picture.ts'
import { DRAWN, type DrawOrder } from './draw-order.ts'
import { readSvg } from './read-svg.ts'
import { tiffPages } from './tiff-pages.ts'

const QUALITY = 85
const HEAD_BYTES = 64 * 1024
const PICTURES: readonly Format[] = ['png', 'jpg', 'gif', 'webp', 'bmp']

/** Draws a page as JPEG, reduced to the requested size. @throws Unreadable for a format without pixels */
export async function drawPicture(order: DrawOrder, signal: AbortSignal): Promise<void> {
  const { format } = await sniff(order, signal)
  const canvas = reduce(await drawPage(order, format), order.longest)
  const drawn = await (order.isTransparent ? canvas.encode('png') : canvas.encode('jpeg', QUALITY))
  await writeFile(join(order.outFolder, DRAWN), drawn)
}

async function sniff(order: DrawOrder, signal: AbortSignal) {
  const { size } = await stat(order.path)
  if (size === 0) throw new Unreadable('empty')
  const file = await open(order.path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return await sniffFormat(buffer.subarray(0, bytesRead), { ...order, size, signal })
  } finally {
    await file.close()
  }
}

async function drawPage(order: DrawOrder, format: Format | null): Promise<Canvas> {
  const { path, page, limits, longest, isTransparent = false } = order
  if (isTransparent) return drawTransparent(path, format, longest)
  if (format === 'pdf') return drawPdfPage(path, page)
  if (format === 'svg') return decodePicture(Buffer.from(readSvg(await readFile(path, 'utf8')).svg), 'svg')
  if (format === 'tiff') return tiffPages(await readFile(path), { limits }).at(page - 1)
  if (format && PICTURES.includes(format)) return decodePicture(await readFile(path), format)
  throw new Unreadable('unsupported', { format: format ?? '' })
}

/** A drawing has no pixels of its own, so it is drawn at the full size. */
async function drawTransparent(path: string, format: Format | null, longest: number): Promise<Canvas> {
  if (format === 'svg') {
    const drawing = Buffer.from(readSvg(await readFile(path, 'utf8')).svg)
    return decodePicture(drawing, 'svg', { isTransparent: true, svgSide: longest })
  }
  if (format && PICTURES.includes(format))
    return decodePicture(await readFile(path), format, { isTransparent: true })
  throw new Unreadable('unsupported', { format: format ?? '' })
}

async function drawPdfPage(path: string, page: number): Promise<Canvas> {
  const pdf = await openPdf(path)
  try {
    if (page < 1 || page > pdf.numPages) throw new Unreadable('empty')
    return await renderPage(await pdf.getPage(page))
  } finally {
    await pdf.loadingTask.destroy()
  }
}

function reduce(picture: Canvas, longest: number): Canvas {
  const scale = longest / Math.max(picture.width, picture.height)
  if (scale >= 1) return picture
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  const canvas = createCanvas(side(picture.width), side(picture.height))
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}
