import type { PDFPageProxy, RenderTask } from 'pdfjs-dist'
import { whenIdle } from '../../web/platform/lib/page-state.ts'

/** Maximum canvas size in pixels; browsers refuse larger ones or are very slow with them. */
const MOST_PIXELS = 16_777_216
const SHARPEST = 2

type Drawing = { scale: number; signal: AbortSignal }

/** Queue of pages, drawn one at a time, so that visible pages do not wait for their neighbours. */
let line: Promise<unknown> = Promise.resolve()
/** Queue of low-priority work: text layers, thumbnails, pages ahead. */
let later: Promise<unknown> = Promise.resolve()

/** Draws a page in its turn; returns undefined when it was cancelled. @throws when the page cannot be drawn. */
export function drawPage(
  read: () => Promise<PDFPageProxy>,
  drawing: Drawing,
): Promise<HTMLCanvasElement | undefined> {
  const drawn = line.then(async () => (drawing.signal.aborted ? undefined : draw(await read(), drawing)))
  line = drawn.catch(() => undefined)
  return drawn
}

/** Runs work when all waiting pages are drawn and the browser is idle; skips cancelled work. */
export function afterPages<Result>(
  signal: AbortSignal,
  job: () => Promise<Result>,
): Promise<Result | undefined> {
  const done = later.then(async () => {
    if (!signal.aborted) await untilDrawn()
    return signal.aborted ? undefined : job()
  })
  later = done.catch(() => undefined)
  return done
}

async function untilDrawn(): Promise<void> {
  for (let seen: unknown; seen !== line; ) {
    seen = line
    await line
    await new Promise<void>((resolve) => whenIdle(resolve))
  }
}

/** Frees the memory of a canvas immediately. */
export function releaseCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
  canvas.remove()
}

/** Draws a page immediately. */
export async function draw(
  page: PDFPageProxy,
  { scale, signal }: Drawing,
): Promise<HTMLCanvasElement | undefined> {
  if (signal.aborted) return undefined
  const canvas = document.createElement('canvas')
  const viewport = page.getViewport({ scale: scale * sharpnessOf(page, scale) })
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const task: RenderTask = page.render({ canvas, viewport })
  const cancel = () => task.cancel()
  signal.addEventListener('abort', cancel)
  try {
    await task.promise
    return canvas
  } catch (error) {
    releaseCanvas(canvas)
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function sharpnessOf(page: PDFPageProxy, scale: number): number {
  const { width, height } = page.getViewport({ scale })
  return Math.min(SHARPEST, devicePixelRatio, Math.sqrt(MOST_PIXELS / (width * height)))
}
