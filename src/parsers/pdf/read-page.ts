import type { Canvas } from '@napi-rs/canvas'
import { OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Job, Page } from '../elements/port.ts'
import type { ReadPicture } from '../ocr/ocr.ts'
import type { Block } from './block.ts'
import { styleOf } from './classify.ts'
import { layOut, layOutText, type Part } from './lay-out.ts'
import { rereadBroken } from './page/broken-letters.ts'
import { checkLetters, readDrawnLetters } from './page/drawn-letters.ts'
import { takeHidden } from './page/hidden-text.ts'
import type { PageFindings } from './page/page-remarks.ts'
import { type Font, readGraphics, wholePictures } from './page/read-graphics.ts'
import { type PinnedFile, readNotes } from './page/read-notes.ts'
import { readRuns } from './page/read-runs.ts'
import { renderPage } from './page/render-page.ts'
import { type Run, type Size, type Turn, turnPoint } from './page/run.ts'
import { type Role, readTags } from './page/tags.ts'
import type { Paragraph } from './paragraphs.ts'
import type { PageNotes } from './place-notes.ts'

/** `blocks` are in reading order. */
export type ReadPage = PageFindings & { blocks: Block[]; notes: PageNotes; files: PinnedFile[] }

/** What stands on a page. */
export async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  { job, readPicture }: { job: Job; readPicture: (picture: Canvas) => Promise<ReadPicture> },
): Promise<ReadPage> {
  const page = await pdf.getPage(number)
  const { width, height, rotation } = page.getViewport({ scale: 1 })
  const size = { width, height }
  const shown: Page = { number, ...size, ...(rotation ? { rotation } : {}) }
  const isQuick = job.pipeline === 'low_latency'
  const groups = await readRuns(page, { marks: !isQuick })
  const hidden = isQuick ? [] : await takeHidden(page, groups, { size, language: job.language })
  const hasText = groups.some(({ runs }) => runs.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
  const letters = isQuick
    ? { reread: 0, unread: 0 }
    : await rereadBroken(groups, size, async () => readPicture(await renderPage(page)))
  const blocks = isQuick
    ? groups.flatMap(({ turn, runs }) =>
        layOutText(runs).map((paragraph) => toBlock({ page: number, turn, size }, paragraph)),
      )
    : await readLayout(page, groups, { page: number, size })
  if (!hasText && !isQuick && (await drawsSomething(page))) {
    const { paragraphs, confidence } = await readPicture(await renderPage(page))
    for (const { text, box } of paragraphs)
      blocks.push({ page: number, turn: 0, size, scanned: { text, box }, style: PLAIN })
    if (paragraphs.length > 0)
      Object.assign(shown, { words: paragraphs.flatMap(({ words }) => words), confidence })
  }
  const drawn = isQuick ? null : await readDrawnLetters(page)
  const { notes, files } = await readNotes(page, size, drawn?.annotations)
  const doubles = groups.flatMap((group) => group.doubles)
  const texts = [...blocks.flatMap(textsOf), ...doubles, ...hidden.map(({ text }) => text)]
  job.page(shown)
  page.cleanup()
  return {
    blocks,
    number,
    isRead: hasText || shown.words !== undefined || notes.length + hidden.length > 0,
    confidence: shown.confidence ?? null,
    letters,
    check: drawn && checkLetters(drawn.letters, texts),
    hidden: hidden.length,
    notes: { page: number, size, notes: [...notes, ...hidden] },
    files,
  }
}

/** Whether there is anything to see: an empty page needs no reading. */
async function drawsSomething(page: PDFPageProxy): Promise<boolean> {
  const { fnArray } = await page.getOperatorList()
  return fnArray.some((instruction) => DRAWING.includes(instruction))
}

const DRAWING: number[] = [
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObjectRepeat,
  OPS.paintImageMaskXObjectGroup,
  OPS.constructPath,
  OPS.showText,
]

async function readLayout(
  page: PDFPageProxy,
  groups: { turn: Turn; runs: Run[] }[],
  where: { page: number; size: Size },
): Promise<Block[]> {
  const roles = await readTags(page)
  const blocks: Block[] = []
  for (const [at, { turn, runs }] of groups.entries()) {
    const { rules, fonts, pictures } = await readGraphics(page, (x, y) => turnPoint(x, y, turn, where.size))
    for (const run of runs) {
      run.stress = fonts.get(run.font)?.stress ?? null
      const role = roles.get(run.mark ?? '')
      if (role) run.role = role
    }
    const shown = at === 0 ? wholePictures(pictures, where.size) : []
    for (const part of layOut(runs, rules, shown)) blocks.push(toBlock({ ...where, turn }, part, fonts))
  }
  return blocks
}

const PLAIN = { bold: 0, italic: 0, fixed: 0, math: 0 }

function toBlock(
  where: { page: number; turn: Turn; size: Size },
  one: Part,
  fonts: Map<string, Font> = new Map(),
): Block {
  if ('isPicture' in one) return { ...where, picture: one, style: PLAIN }
  if ('cells' in one) return { ...where, table: one, style: PLAIN }
  const role = roleOf(one)
  return { ...where, paragraph: one, style: styleOf(one, fonts), ...(role ? { role } : {}) }
}

/** All that a block says. */
const textsOf = ({ paragraph, table, scanned }: Block): string[] => [
  ...(table?.cells.map(({ text }) => text) ?? []),
  paragraph?.text ?? '',
  scanned?.text ?? '',
]

/** The role that all of its text has. */
function roleOf({ lines }: Paragraph): Role | undefined {
  const roles = lines.flatMap(({ segments }) => segments.flatMap(({ runs }) => runs.map(({ role }) => role)))
  return roles.every((role) => role?.kind === roles[0]?.kind) ? roles[0] : undefined
}
