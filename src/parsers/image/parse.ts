import { readFile } from 'node:fs/promises'
import type { Canvas } from '@napi-rs/canvas'
import { type Job, Unreadable } from '../elements/port.ts'
import { DOUBTFUL, openPictureReader, type PictureReader } from '../ocr/ocr.ts'
import { decodePicture } from './decode-picture.ts'
import { readSvg } from './read-svg.ts'
import { tiffPages } from './tiff-pages.ts'

/** Formats that browsers do not show, or only together with their active content. */
const NEEDS_VIEW = ['bmp', 'tiff', 'svg']

/** Reads pictures: each is a page of pixels with the words on it. */
export async function parse(job: Job): Promise<void> {
  if (job.format === 'svg') return parseSvg(job)
  const bytes = await readFile(job.path)
  const pictures =
    job.format === 'tiff' ? tiffPages(bytes, job) : { count: 1, at: () => decodePicture(bytes, job.format) }
  const pages = Math.min(pictures.count, job.limits.pages)
  if (pages < pictures.count) job.warn({ code: 'pages_skipped', values: { pages: pictures.count - pages } })
  job.describe({ pages: pictures.count })
  let reader: PictureReader | null = null
  let doubtful = 0
  try {
    for (let number = 1; number <= pages; number++) {
      job.signal.throwIfAborted()
      const picture = await pictures.at(number - 1)
      if (NEEDS_VIEW.includes(job.format))
        await job.keep(pictures.count === 1 ? 'view.png' : `view-${number}.png`, await picture.encode('png'))
      if (job.pipeline === 'low_latency') job.page({ number, width: picture.width, height: picture.height })
      else {
        reader ??= await openPictureReader(job)
        if (!(await readPage(picture, number, reader, job))) doubtful++
      }
      job.progress(number, pages)
    }
  } finally {
    await reader?.close()
  }
  if (doubtful > 0) job.warn({ code: 'low_confidence', values: { pages: doubtful } })
}

/** Returns whether the text was read with enough confidence. */
async function readPage(picture: Canvas, number: number, reader: PictureReader, job: Job): Promise<boolean> {
  const { width, height } = picture
  const { paragraphs, confidence } = await reader.read(picture, job.signal)
  const words = paragraphs.flatMap((paragraph) => paragraph.words)
  job.page({ number, width, height, ...(words.length > 0 ? { words, confidence } : {}) })
  for (const { text, box } of paragraphs)
    job.add({ type: 'NarrativeText', text, place: { boxes: [{ page: number, box }] } })
  if (words.length > 0) return confidence >= DOUBTFUL
  job.add({ type: 'Figure', text: '', place: { boxes: [{ page: number, box: [0, 0, 1, 1] }] } })
  job.warn({ code: 'images_without_text' })
  return true
}

/** The text of a drawing is extracted; people see a picture rendered here, without active content. */
async function parseSvg(job: Job): Promise<void> {
  const { texts, svg } = readSvg(await readFile(job.path, 'utf8'))
  for (const text of texts) job.add({ type: 'NarrativeText', text, place: { page: 1 } })
  const picture = await decodePicture(Buffer.from(svg), 'svg').catch((error: unknown) => {
    if (texts.length > 0) return null
    throw error instanceof Unreadable ? error : new Unreadable('damaged', {}, { cause: error })
  })
  if (picture) await job.keep('view.png', await picture.encode('png'))
  job.page({ number: 1, width: picture?.width ?? 1, height: picture?.height ?? 1 })
  if (texts.length === 0)
    job.add({ type: 'Figure', text: '', place: { boxes: [{ page: 1, box: [0, 0, 1, 1] }] } })
  job.progress(1, 1)
}
