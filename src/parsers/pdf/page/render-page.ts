import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

const DOTS_PER_INCH = 200
/** Larger pages are rendered smaller, so that the picture takes at most 100 MB. */
const MAX_PIXELS = 25_000_000

/** The canvas type that pdf.js expects. */
export type PageCanvas = Parameters<PDFPageProxy['render']>[0]['canvas']

/** Renders a page to a canvas. */
export async function renderPage(page: PDFPageProxy): Promise<Canvas> {
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(DOTS_PER_INCH / 72, Math.sqrt(MAX_PIXELS / (width * height)))
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)))
  await page.render({ canvas: canvas as unknown as PageCanvas, viewport, background: 'white' }).promise
  return canvas
}
