import type { Canvas } from '@napi-rs/canvas'
import { OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box, Job, Page } from '../elements/port.ts'
import type { ReadParagraph, ReadPicture } from '../ocr/ocr.ts'
import type { Block } from './block.ts'
import { styleOf } from './classify.ts'
import { layOut, layOutText, type Part } from './lay-out.ts'
import type { Paragraph } from './lines/paragraphs.ts'
import { rereadBroken } from './page/broken-letters.ts'
import { checkLetters, readDrawnLetters } from './page/drawn-letters.ts'
import { takeHidden } from './page/hidden-text.ts'
import { type FontVerdicts, rereadIllegible } from './page/illegible-fonts.ts'
import type { PageFindings } from './page/page-remarks.ts'
import { type Font, isPaper, readGraphics, wholePictures } from './page/read-graphics.ts'
import { type PinnedFile, readNotes } from './page/read-notes.ts'
import { readRuns } from './page/read-runs.ts'
import { renderPage } from './page/render-page.ts'
import { around, boxOf, type Run, type Size, type Turn, turnPoint } from './page/run.ts'
import { type Role, readTags } from './page/tags.ts'
import { findTextPictures, readArea } from './page/text-pictures.ts'
import type { PageNotes } from './place-notes.ts'

/** `blocks` are in reading order. */
export type ReadPage = PageFindings & { blocks: Block[]; notes: PageNotes; files: PinnedFile[] }

type Reader = { readPicture: (picture: Canvas) => Promise<ReadPicture> }

/** Returns the contents of a page. `verdicts` has the font verdicts of earlier pages; those of this page are added. */
export async function readPage(
  pdf: PDFDocumentProxy,
  number: number,
  { job, readPicture, verdicts }: Reader & { job: Job; verdicts: FontVerdicts },
): Promise<ReadPage> {
  const page = await pdf.getPage(number)
  const { width, height, rotation } = page.getViewport({ scale: 1 })
  const size = { width, height }
  const shown: Page = { number, ...size, ...(rotation ? { rotation } : {}) }
  const isQuick = job.pipeline === 'low_latency'
  const groups = await readRuns(page, { marks: !isQuick })
  const layers = await pdf.getOptionalContentConfig()
  const hidden = isQuick ? [] : await takeHidden(page, groups, { size, language: job.language, layers })
  const hasText = groups.some(({ runs }) => runs.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
  const letters = isQuick
    ? { reread: 0, unread: 0, doubtful: 0, replaced: [] }
    : await rereadLetters(page, groups, { size, readPicture, verdicts })
  const blocks = isQuick
    ? groups.flatMap(({ turn, runs }) =>
        layOutText(runs).map((paragraph) => toBlock({ page: number, turn, size }, paragraph)),
      )
    : await readLayout(page, groups, { page: number, size })
  const pictures = isQuick
    ? { seen: 0, read: 0, unsure: 0 }
    : await readPictures(page, blocks, {
        size,
        readPicture: job.pipeline === 'improved' ? readPicture : null,
      })
  const isScan = !isQuick && (hasText ? await isStampedScan(page, groups, size) : await drawsSomething(page))
  if (isScan) {
    const { paragraphs, confidence } = await readPicture(await renderPage(page))
    const written = groups.flatMap(({ turn, runs }) => runs.map((run) => boxOf(run, turn, size)))
    const more = paragraphs.flatMap((paragraph) => withoutWritten(paragraph, written))
    for (const { text, box } of more)
      blocks.push({ page: number, turn: 0, size, scanned: { text, box }, style: PLAIN })
    if (more.length > 0) Object.assign(shown, { words: more.flatMap(({ words }) => words), confidence })
  }
  const drawn = isQuick ? null : await readDrawnLetters(page)
  const { notes, files } = await readNotes(page, size, drawn?.annotations)
  const doubles = groups.flatMap((group) => group.doubles)
  const texts = [
    ...blocks.flatMap(textsOf),
    ...letters.replaced,
    ...doubles,
    ...hidden.map(({ text }) => text),
  ]
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
    pictures,
    notes: { page: number, size, notes: [...notes, ...hidden] },
    files,
  }
}

/** Replaces lines with lost letters, and text of fonts that resembles no language, by the result of OCR. */
async function rereadLetters(
  page: PDFPageProxy,
  groups: { turn: Turn; runs: Run[] }[],
  { size, readPicture, verdicts }: Reader & { size: Size; verdicts: FontVerdicts },
) {
  let seen: Promise<ReadPicture> | null = null
  const see = () => {
    seen ??= renderPage(page).then(readPicture)
    return seen
  }
  const broken = await rereadBroken(groups, size, see)
  const illegible = await rereadIllegible(groups, size, { see, verdicts })
  return {
    reread: broken.reread + illegible.reread,
    unread: broken.unread,
    doubtful: illegible.doubtful,
    replaced: [...broken.replaced, ...illegible.replaced],
  }
}

/** Maximum letters of text on a scanned page, for example a stamp or a page number. */
const MAX_STAMP_LETTERS = 150

/** Returns whether the page is a picture of text with little real text. */
async function isStampedScan(page: PDFPageProxy, groups: { runs: Run[] }[], size: Size): Promise<boolean> {
  const letters = groups.reduce(
    (sum, { runs }) => sum + runs.reduce((all, { text }) => all + text.length, 0),
    0,
  )
  if (letters > MAX_STAMP_LETTERS) return false
  const { pictures } = await readGraphics(page, (x, y) => [x, y])
  const papers = pictures.filter((picture) => isPaper(picture, size))
  return (await findTextPictures(page, papers)).length > 0
}

/** Removes OCR words at positions where the page has text. Returns an empty list if no words are left. */
function withoutWritten(paragraph: ReadParagraph, written: Box[]): ReadParagraph[] {
  const words = paragraph.words.filter(
    ({ box: [left, top, right, bottom] }) =>
      !written.some((one) => {
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        return x >= one[0] && x <= one[2] && y >= one[1] && y <= one[3]
      }),
  )
  if (words.length === paragraph.words.length) return [paragraph]
  if (words.length === 0) return []
  const { left, top, right, bottom } = around(
    words.map(({ box }) => ({ left: box[0], top: box[1], right: box[2], bottom: box[3] })),
  )
  return [{ words, text: words.map(({ text }) => text).join(' '), box: [left, top, right, bottom] }]
}

/** Finds pictures of text. With `readPicture`, inserts the text after each picture. */
async function readPictures(
  page: PDFPageProxy,
  blocks: Block[],
  { size, readPicture }: { size: Size; readPicture: ((picture: Canvas) => Promise<ReadPicture>) | null },
): Promise<PageFindings['pictures']> {
  const pictures = blocks.flatMap((block) => (block.turn === 0 && block.picture ? block.picture : []))
  const withText = await findTextPictures(page, pictures)
  if (!readPicture || withText.length === 0) return { seen: withText.length, read: 0, unsure: 0 }
  const shown = await renderPage(page)
  let read = 0
  for (const picture of withText) {
    const paragraphs = await readArea(shown, picture, size, readPicture)
    if (paragraphs.length === 0) continue
    read += 1
    const at = blocks.findIndex((block) => block.picture === picture)
    const scanned = paragraphs.map(({ text, box }) => ({ text, box }))
    blocks.splice(
      at + 1,
      0,
      ...scanned.map((one): Block => ({ ...(blocks[at] as Block), picture: undefined, scanned: one })),
    )
  }
  return { seen: 0, read, unsure: withText.length - read }
}

/** Returns whether the page draws anything. OCR skips empty pages. */
async function drawsSomething(page: PDFPageProxy): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const isClip = (at: number) => fnArray[at] === OPS.constructPath && argsArray[at]?.[0] === OPS.endPath
  return fnArray.some((instruction, at) => DRAWING.includes(instruction) && !isClip(at))
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

/** Returns all texts of a block. */
const textsOf = ({ paragraph, table, scanned }: Block): string[] => [
  ...(table?.cells.map(({ text }) => text) ?? []),
  paragraph?.text ?? '',
  scanned?.text ?? '',
]

/** Returns the role of a block if all of its text has the same one. */
function roleOf({ lines }: Paragraph): Role | undefined {
  const roles = lines.flatMap(({ segments }) => segments.flatMap(({ runs }) => runs.map(({ role }) => role)))
  return roles.every((role) => role?.kind === roles[0]?.kind) ? roles[0] : undefined
}
