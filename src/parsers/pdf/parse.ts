import type { Canvas } from '@napi-rs/canvas'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Job, Unreadable } from '../elements/port.ts'
import { openPictureReader, type PictureReader } from '../ocr/ocr.ts'
import { attachFiles } from './attached-files.ts'
import type { Block } from './block.ts'
import { toElement } from './classify.ts'
import { findHeadingLevels } from './heading-levels.ts'
import { findLevels, readOutline } from './headings.ts'
import { createNesting } from './nesting.ts'
import type { FontVerdicts } from './page/illegible-fonts.ts'
import { openPdf } from './page/open-pdf.ts'
import { PageRemarks } from './page/page-remarks.ts'
import type { PinnedFile } from './page/read-notes.ts'
import { type PageNotes, placeNotes } from './place-notes.ts'
import { readPage } from './read-page.ts'
import { markRunning } from './running.ts'
import { joinTwoPageTables } from './two-page-tables.ts'

/** Reads a PDF file. Its elements have their positions on the pages. */
export async function parse(job: Job): Promise<void> {
  const pdf = await openPdf(job.path)
  try {
    const { blocks: read, notes, files } = await readPages(pdf, job)
    const outline = await readOutline(pdf)
    if (job.pipeline !== 'low_latency') markRunning(read)
    const blocks = job.pipeline === 'low_latency' ? read : joinTwoPageTables(read)
    const levels = findHeadingLevels(blocks, { levels: findLevels(blocks), outline })
    const letters = (pick: (block: Block) => number) =>
      blocks.reduce((sum, block) => sum + pick(block) * (block.paragraph?.text.length ?? 0), 0)
    const isFixedPitch = letters(({ style }) => style.fixed) > 0.5 * letters(() => 1)
    const nest = createNesting()
    for (const block of placeNotes(blocks, notes))
      job.add(nest(block, toElement(block, { levels, isFixedPitch })))
    await attachFiles(pdf, job, files)
    if (await hasDynamicForm(pdf)) job.warn({ code: 'form_unread' })
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Returns true if the file has an XFA form, which few programs draw. Its pages hold no form text. */
async function hasDynamicForm(pdf: PDFDocumentProxy): Promise<boolean> {
  const { info } = await pdf.getMetadata()
  const { IsXFAPresent, IsAcroFormPresent } = info as Record<string, unknown>
  return IsXFAPresent === true && IsAcroFormPresent !== true
}

/** Files with more than this multiple of the page limit are rejected. */
const PAGES_TIMES = 4

async function readPages(
  pdf: PDFDocumentProxy,
  job: Job,
): Promise<{ blocks: Block[]; notes: PageNotes[]; files: PinnedFile[] }> {
  // Each page lookup scans all pages, so a hostile file with a million pages would take hours.
  if (pdf.numPages > job.limits.pages * PAGES_TIMES) throw new Unreadable('too_many_pages')
  const pages = Math.min(pdf.numPages, job.limits.pages)
  if (pages < pdf.numPages) job.warn({ code: 'pages_skipped', values: { pages: pdf.numPages - pages } })
  job.describe({ pages: pdf.numPages })
  const blocks: Block[] = []
  const notes: PageNotes[] = []
  const files: PinnedFile[] = []
  const lost: unknown[] = []
  let reader: PictureReader | null = null
  const readPicture = async (picture: Canvas) => {
    reader ??= await openPictureReader(job)
    return reader.read(picture, job.signal)
  }
  const remarks = new PageRemarks()
  const verdicts: FontVerdicts = new Map()
  let characters = 0
  try {
    for (let number = 1; number <= pages; number++) {
      job.signal.throwIfAborted()
      try {
        const page = await readPage(pdf, number, { job, readPicture, verdicts })
        blocks.push(...page.blocks)
        if (page.notes.notes.length > 0) notes.push(page.notes)
        files.push(...page.files)
        remarks.add(page)
        characters += page.blocks.reduce((sum, block) => sum + lengthOf(block), 0)
      } catch (error) {
        if (error instanceof Unreadable || job.signal.aborted) throw error
        lost.push(error)
      }
      job.progress(number, pages)
      if (characters > job.limits.characters) break
    }
  } finally {
    await (reader as PictureReader | null)?.close()
  }
  if (lost.length === pages) throw new Unreadable('damaged', {}, { cause: lost[0] })
  if (lost.length > 0) job.warn({ code: 'damaged', values: { pages: lost.length } })
  if (characters > job.limits.characters)
    job.warn({ code: 'text_cut', values: { characters: job.limits.characters } })
  for (const warning of remarks.warnings()) job.warn(warning)
  job.compared(remarks.count())
  return { blocks: withinLimit(blocks, job.limits.characters), notes, files }
}

/** Returns the first blocks whose characters are within the limit. */
function withinLimit(blocks: Block[], limit: number): Block[] {
  let characters = 0
  const end = blocks.findIndex((block) => {
    characters += lengthOf(block)
    return characters > limit
  })
  return end < 0 ? blocks : blocks.slice(0, end)
}

function lengthOf({ paragraph, table, scanned }: Block): number {
  const inTable = table?.cells.reduce((sum, { text }) => sum + text.length, 0) ?? 0
  return inTable + (paragraph?.text.length ?? 0) + (scanned?.text.length ?? 0)
}
